package io.treecast.collectives.broadcast;

import static org.assertj.core.api.Assertions.assertThat;

import io.treecast.collectives.broadcast.log.LogEntry;
import io.treecast.collectives.broadcast.log.ReplicationLog;
import io.treecast.collectives.broadcast.log.StreamLog;
import io.treecast.collectives.broadcast.message.Chunk;
import io.treecast.collectives.broadcast.message.MessageId;
import io.treecast.collectives.broadcast.message.StreamId;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The eviction of log entries. */
class EvictionTest {
  private final List<LogEntry> evicted = new ArrayList<>();
  private final ReplicationLog log =
      new ReplicationLog(Examples.SMALL.withRetainedBytes(0), () -> Long.MAX_VALUE, evicted::add);
  private final StreamLog stream = log.begin(new StreamId(Examples.A, Examples.FIRST_START));

  /** Otherwise the garbage collector would keep, and copy, everything logged since. */
  @Test
  void an_evicted_entry_refers_to_no_logged_entry() {
    LogEntry first = logged(1);
    LogEntry second = logged(2);
    log.stableUpTo(stream, first.item().to(), 1);

    assertThat(evicted).containsExactly(first);
    assertThat(first.later()).isNull();
    assertThat(first.laterOfStream()).isNull();
    assertThat(second.earlier()).isNull();
  }

  private LogEntry logged(long sequence) {
    MessageId id = new MessageId(stream.id(), sequence);
    Chunk chunk = new Chunk(id, 0, true, 1, ByteBuffer.allocate(4));
    LogEntry entry = log.append(stream, chunk, bytes -> {});
    entry.release();
    return entry;
  }
}
