package io.treecast.collectives.broadcast.edge;

import static io.treecast.collectives.broadcast.Examples.A;
import static io.treecast.collectives.broadcast.Examples.FIRST_START;
import static io.treecast.collectives.broadcast.Examples.SMALL;
import static io.treecast.collectives.broadcast.Examples.bytes;
import static org.assertj.core.api.Assertions.assertThat;

import io.treecast.collectives.broadcast.log.LogEntry;
import io.treecast.collectives.broadcast.log.ReplicationLog;
import io.treecast.collectives.broadcast.log.StreamLog;
import io.treecast.collectives.broadcast.message.Chunk;
import io.treecast.collectives.broadcast.message.MessageId;
import io.treecast.collectives.broadcast.message.StreamId;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/** The counted part of the log before an outlet that skips a large backlog. */
class BacklogTest {
  private static final long CHUNK_COST = Chunk.cost(4);

  private final ReplicationLog log = new ReplicationLog(SMALL, () -> Long.MAX_VALUE, entry -> {});
  private long looks;
  private String wanted = "t";
  private final Backlog backlog =
      new Backlog(
          stream -> {
            looks++;
            return stream.id().topic().equals(wanted);
          });

  private LogEntry logged(String topic) {
    StreamId id = new StreamId(A, FIRST_START, topic);
    StreamLog known = log.find(id);
    StreamLog stream = known == null ? log.begin(id) : known;
    MessageId message = new MessageId(id, stream.next().sequence());
    return log.append(stream, new Chunk(message, 0, true, 1, bytes("1234")), bytes -> {});
  }

  private LogEntry first() {
    return Objects.requireNonNull(log.first());
  }

  @Test
  void a_backlog_counts_only_wanted_entries() {
    backlog.allow(2 * CHUNK_COST);
    logged("t");
    logged("u");
    logged("u");
    logged("t");
    backlog.moveTo(log.first());
    assertThat(backlog.exceedsLimit()).isFalse();

    backlog.follows(logged("u"), false);
    assertThat(backlog.exceedsLimit()).isFalse();

    backlog.follows(logged("t"), true);
    assertThat(backlog.exceedsLimit()).isTrue();

    backlog.leaves(first());
    assertThat(backlog.exceedsLimit()).isFalse();
  }

  @Test
  void a_backlog_is_counted_again_when_other_streams_are_wanted() {
    backlog.allow(CHUNK_COST);
    logged("t");
    logged("u");
    logged("u");
    backlog.moveTo(log.first());
    assertThat(backlog.exceedsLimit()).isFalse();

    wanted = "u";
    backlog.interestChanged();

    assertThat(backlog.exceedsLimit()).isTrue();
  }

  @Test
  void a_backlog_visits_each_entry_at_most_once_however_often_it_is_queried() {
    backlog.allow(CHUNK_COST);
    for (int i = 0; i < 100; i++) {
      logged("u");
    }
    backlog.moveTo(log.first());
    for (int i = 0; i < 100; i++) {
      backlog.exceedsLimit();
      backlog.follows(logged("u"), false);
    }

    assertThat(looks).isEqualTo(200);
  }

  @Test
  void a_backlog_begins_with_the_first_waiting_entry_and_moves_back_for_earlier_ones() {
    LogEntry before = logged("u");
    backlog.follows(before, false);
    LogEntry waits = logged("t");
    backlog.follows(waits, true);
    LogEntry after = logged("u");
    backlog.follows(after, false);
    assertThat(backlog.first()).isSameAs(waits);
    assertThat(backlog.contains(before)).isFalse();
    assertThat(backlog.contains(after)).isTrue();

    backlog.rewindTo(after);
    assertThat(backlog.first()).isSameAs(waits);
    backlog.rewindTo(before);
    assertThat(backlog.first()).isSameAs(before);
    assertThat(backlog.isFrom(before.number())).isTrue();
    assertThat(backlog.isFrom(waits.number())).isFalse();

    backlog.leaves(before);
    assertThat(backlog.first()).isSameAs(waits);
  }

  @Test
  void an_unlimited_backlog_counts_nothing() {
    backlog.follows(logged("t"), true);

    assertThat(backlog.exceedsLimit()).isFalse();
    assertThat(looks).isZero();
  }
}
