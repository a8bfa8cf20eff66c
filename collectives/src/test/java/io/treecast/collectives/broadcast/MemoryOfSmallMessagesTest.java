package io.treecast.collectives.broadcast;

import static io.treecast.collectives.broadcast.Examples.A;
import static io.treecast.collectives.broadcast.Examples.FIRST_START;
import static io.treecast.collectives.broadcast.Examples.receive;
import static io.treecast.collectives.broadcast.Examples.relay;
import static org.assertj.core.api.Assertions.assertThat;

import io.treecast.collectives.broadcast.contract.BroadcastLimits;
import io.treecast.collectives.broadcast.message.Chunk;
import io.treecast.collectives.broadcast.message.Headers;
import io.treecast.collectives.broadcast.message.MessageId;
import io.treecast.collectives.broadcast.message.StreamId;
import io.treecast.collectives.broadcast.message.WantedReplicas;
import io.treecast.ghs.NodeId;
import java.nio.ByteBuffer;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Isolated;

/** The heap that a log of the smallest messages takes, compared with its count. */
@Isolated("It measures the heap.")
class MemoryOfSmallMessagesTest {
  private static final int MESSAGES = 100_000;
  private static final long COUNTED = MESSAGES * Chunk.cost(1);
  private static final String ORIGIN = "a-host-of-some-site.example.org";

  private final RecordingEffects effects = new RecordingEffects();

  @Test
  void small_messages_take_no_more_memory_than_they_count() {
    // Garbage of others that is collected meanwhile lowers the result, so the maximum of several
    // counts.
    long mostTaken = LongStream.range(0, 3).map(i -> bytesTaken()).max().orElseThrow();

    assertThat(mostTaken).isBetween(COUNTED / 2, COUNTED);
  }

  private long bytesTaken() {
    BroadcastRelay relay = relay(BroadcastLimits.defaults(), effects, A);
    long before = usedHeapBytes();
    receiveAll(relay);
    long taken = usedHeapBytes() - before;
    assertThat(relay.counters().retainedBytes()).isEqualTo(COUNTED); // It is in use until here.
    return taken;
  }

  private void receiveAll(BroadcastRelay relay) {
    for (int i = 1; i <= MESSAGES; i++) {
      receive(relay, A, decoded(i));
    }
    effects.take();
  }

  /**
   * Returns a chunk as decoded from the wire: with names, an array, a checksum and a time of its
   * own.
   */
  private static Chunk decoded(int sequence) {
    NodeId origin = NodeId.of(String.valueOf(ORIGIN.toCharArray()));
    MessageId id = new MessageId(new StreamId(origin, FIRST_START), sequence);
    ByteBuffer payload = ByteBuffer.wrap(new byte[1]);
    return new Chunk(
        id,
        0,
        true,
        1,
        0,
        payload,
        0,
        1_000_000 + sequence,
        false,
        WantedReplicas.NONE,
        sequence,
        Headers.NONE);
  }

  private static long usedHeapBytes() {
    System.gc();
    Runtime runtime = Runtime.getRuntime();
    return runtime.totalMemory() - runtime.freeMemory();
  }
}
