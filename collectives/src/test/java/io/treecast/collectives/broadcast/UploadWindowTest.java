package io.treecast.collectives.broadcast;

import static io.treecast.collectives.broadcast.Examples.A;
import static io.treecast.collectives.broadcast.Examples.FIRST_START;
import static io.treecast.collectives.broadcast.Examples.relayOfUploads;
import static org.assertj.core.api.Assertions.assertThat;

import io.treecast.collectives.broadcast.contract.BroadcastLimits;
import io.treecast.collectives.broadcast.message.Channel;
import io.treecast.collectives.broadcast.message.Chunk;
import io.treecast.collectives.broadcast.message.EdgeMessage.Credit;
import io.treecast.collectives.broadcast.message.EdgeMessage.UnusedCredit;
import io.treecast.collectives.broadcast.message.MessageId;
import io.treecast.collectives.broadcast.message.StreamId;
import io.treecast.collectives.broadcast.message.Topic;
import java.nio.ByteBuffer;
import org.junit.jupiter.api.Test;

/** A neighbour uploads over a link that the test has, and sends as much as its credit allows. */
class UploadWindowTest {
  private static final int CHUNK_BYTES = 100;
  private static final long CHUNK_COST = Chunk.cost(CHUNK_BYTES);
  private static final long WINDOW_BYTES = 20 * CHUNK_COST;
  private static final long LONG_NANOS = 700_000_000;

  private final RecordingEffects effects = new RecordingEffects();
  private long nowNanos;
  private int lastIndex = -1;
  private long creditBytes;
  private long grantedBytes;

  /** The bytes that the relay has reported as carried, by returning credit for them. */
  private long carriedBytes;

  private static BroadcastLimits limits(long windowsOfMemory) {
    BroadcastLimits limits =
        BroadcastLimits.builder()
            .chunkBytes(CHUNK_BYTES)
            .payloadBytes(CHUNK_BYTES)
            .publishBufferBytes(10 * CHUNK_COST)
            .logBytes(1_000 * CHUNK_COST)
            .edgeWindowBytes(WINDOW_BYTES)
            .subscriberWindowBytes(10 * CHUNK_COST)
            .subscribers(3)
            .topics(3)
            .origins(3)
            .build();
    long others = limits.memoryBytes() - limits.edgesBytes();
    return limits.withMemoryBytes(others + windowsOfMemory * WINDOW_BYTES);
  }

  private BroadcastRelay relay(long windowsOfMemory, long roundTripNanos) {
    effects.credits().clear();
    BroadcastRelay relay = relayOfUploads(limits(windowsOfMemory), effects, A);
    relay.roundTrip(A, roundTripNanos);
    takeCredits();
    return relay;
  }

  /**
   * Sends chunks, as many as there is credit for, but no more than so many; they arrive one by one.
   */
  private void send(BroadcastRelay relay, int most, long nanosBetween) {
    int sendable = (int) Math.min(most, creditBytes / CHUNK_COST);
    for (int i = 0; i < sendable; i++) {
      nowNanos += nanosBetween;
      relay.tick(nowNanos);
      MessageId upload = new MessageId(new StreamId(A, FIRST_START, Topic.DEFAULT, 1), 1);
      ByteBuffer payload = ByteBuffer.allocate(CHUNK_BYTES);
      creditBytes -= CHUNK_COST;
      Examples.receive(relay, A, new Chunk(upload, ++lastIndex, false, 1, payload));
      takeCredits();
    }
  }

  private void takeCredits() {
    for (Credit credit : effects.credits()) {
      if (credit.channel() == Channel.UPLOADS) {
        creditBytes += credit.bytes();
        grantedBytes += credit.windowBytes();
        carriedBytes += credit.bytes() - credit.windowBytes();
      }
    }
    effects.credits().clear();
  }

  /** A link of that round trip that carries so many chunks in it. */
  private void carry(BroadcastRelay relay, int roundTrips, int most, long roundTripNanos) {
    for (int i = 0; i < roundTrips; i++) {
      long beginNanos = nowNanos;
      send(relay, most, roundTripNanos / most / 2);
      nowNanos = beginNanos + roundTripNanos;
    }
  }

  @Test
  void the_window_grows_until_the_link_is_the_bound() {
    BroadcastRelay relay = relay(1_000, LONG_NANOS);
    carry(relay, 20, 200, LONG_NANOS);

    assertThat(grantedBytes).isBetween(300 * CHUNK_COST, 900 * CHUNK_COST);
  }

  @Test
  void the_window_grows_no_further_than_half_of_the_memory_that_is_left() {
    BroadcastRelay relay = relay(10, LONG_NANOS);
    carry(relay, 20, 200, LONG_NANOS);

    assertThat(grantedBytes).isBetween(4 * WINDOW_BYTES, 5 * WINDOW_BYTES);
  }

  @Test
  void the_window_stays_as_configured_where_that_does_not_bound_the_link() {
    BroadcastRelay onShort = relay(1_000, 1_000_000);
    carry(onShort, 1_000, 5, 1_000_000);
    assertThat(grantedBytes).isEqualTo(WINDOW_BYTES);
  }

  @Test
  void a_window_that_was_given_back_grows_anew() {
    BroadcastRelay relay = relay(1_000, LONG_NANOS);
    carry(relay, 20, 200, LONG_NANOS);
    long unusedBytes = creditBytes - CHUNK_COST;
    creditBytes -= unusedBytes;
    grantedBytes -= unusedBytes;
    relay.received(A, new UnusedCredit(unusedBytes));
    takeCredits();
    send(relay, 1, 1);
    assertThat(creditBytes).isEqualTo(WINDOW_BYTES - CHUNK_COST);

    carry(relay, 20, 200, LONG_NANOS);
    assertThat(grantedBytes).isGreaterThan(300 * CHUNK_COST);
    assertThat(carriedBytes)
        .as("of which a batch of credit, a quarter of the window, may be due")
        .isBetween((lastIndex + 1) * CHUNK_COST - grantedBytes / 4, (lastIndex + 1) * CHUNK_COST);
  }
}
