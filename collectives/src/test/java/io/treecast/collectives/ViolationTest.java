package io.treecast.collectives;

import static io.treecast.collectives.Examples.A;
import static io.treecast.collectives.Examples.B;
import static io.treecast.collectives.Examples.FIRST_START;
import static io.treecast.collectives.Examples.SELF;
import static io.treecast.collectives.Examples.SMALL;
import static io.treecast.collectives.Examples.limits;
import static io.treecast.collectives.Examples.message;
import static io.treecast.collectives.Examples.relay;
import static io.treecast.collectives.Examples.star;
import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** What a neighbour may not do; {@link ArrivalTest} has the rules on the order of chunks. */
class ViolationTest {
  private final RecordingEffects effects = new RecordingEffects();

  @Test
  void aChunkFromANodeWithoutAnOpenStream() {
    BroadcastRelay relay = relay(SMALL, effects, A);

    relay.received(B, message(B, 1, "x"));

    assertThat(effects.take())
        .containsExactly(
            "violated by b: b/0000000000000001/1 chunk 0 (last, 1 bytes) came without an open"
                + " data stream");
  }

  @Test
  void creditFromANodeWithoutAnOpenStream() {
    BroadcastRelay relay = new BroadcastRelay(SELF, FIRST_START, SMALL, effects);
    relay.treeCommitted(star(A));

    relay.granted(A, 1_000);

    assertThat(effects.take())
        .containsExactly("violated by a: credit came without an open data stream");
  }

  @Test
  void aChunkByALinkThatIsNoTreeEdge() {
    BroadcastRelay relay = relay(SMALL, effects, A);
    relay.edgeOpened(B);
    effects.take();

    relay.received(B, message(B, 1, "x"));

    assertThat(effects.take())
        .containsExactly(
            "violated by b: b/0000000000000001/1 chunk 0 (last, 1 bytes) came by a link that is"
                + " no edge of the committed tree v1 root self, 1 edges");
    assertThat(relay.counters().waitingBytes()).isZero();
  }

  @Test
  void aChunkWithoutCredit() throws Exception {
    BroadcastRelay relay = relay(limits(2, 1), effects, A);
    relay.subscribe(1);
    relay.received(A, message(A, 1, "1234"));
    relay.received(A, message(A, 2, "1234"));
    relay.received(A, message(A, 3, "1234"));
    effects.take();

    relay.received(A, message(A, 4, ""));

    assertThat(effects.take())
        .containsExactly(
            "violated by a: a/0000000000000001/4 chunk 0 (last, 0 bytes) exceeds the credit"
                + " granted of limits.edgeWindowBytes");
  }

  @Test
  void aChunkThatIsTooLarge() {
    BroadcastRelay relay = relay(SMALL, effects, A);

    relay.received(A, message(A, 1, "12345"));

    assertThat(effects.take())
        .containsExactly(
            "violated by a: a/0000000000000001/1 chunk 0 (last, 5 bytes) is larger than"
                + " limits.chunkBytes = 4, which must be the same on all agents");
  }

  @Test
  void creditThatIsNotPositiveOrAbsurd() {
    for (long bytes : new long[] {0, -1, Long.MIN_VALUE, Long.MAX_VALUE, 1L << 40}) {
      BroadcastRelay relay = relay(SMALL, effects, A);

      relay.granted(A, bytes);

      assertThat(effects.take())
          .containsExactly("violated by a: credit of " + bytes + " bytes is out of range");
    }
  }

  @Test
  void aFirstCreditThatHasNoRoomForOneChunk() {
    BroadcastRelay relay = new BroadcastRelay(SELF, FIRST_START, SMALL, effects);
    relay.edgeOpened(A);
    effects.take();

    relay.granted(A, 67);

    assertThat(effects.take())
        .containsExactly(
            "violated by a: first credit of 67 bytes has no room for a chunk of limits.chunkBytes"
                + " = 4, which must be the same on all agents");
  }

  @Test
  void aFirstCreditOfAReopenedStreamThatHasNoRoomForOneChunk() {
    BroadcastRelay relay = relay(SMALL, effects, A);
    relay.edgeClosed(A);
    relay.edgeOpened(A);
    effects.take();

    relay.granted(A, 67);

    assertThat(effects.take())
        .singleElement()
        .asString()
        .startsWith("violated by a: first credit of 67 bytes has no room");
  }

  @Test
  void aStreamThatIsNoTreeEdgeIsForgottenOnceClosed() {
    BroadcastRelay relay = relay(SMALL, effects, A);
    relay.edgeOpened(B);
    relay.edgeClosed(B);
    effects.take();

    relay.received(B, message(B, 1, "x"));

    assertThat(effects.take())
        .singleElement()
        .asString()
        .endsWith("came without an open data stream");
  }

  @Test
  void afterAViolationWhatIsStillUnderWayIsIgnoredUntilTheStreamOpensAgain() throws Exception {
    BroadcastRelay relay = relay(SMALL, effects, A);
    relay.subscribe(1);
    relay.received(A, message(A, 2, "x"));
    effects.take();

    relay.received(A, message(A, 1, "x"));
    relay.granted(A, 0);
    relay.edgeClosed(A);
    relay.received(A, message(A, 1, "x"));
    assertThat(effects.take()).isEmpty();

    relay.edgeOpened(A);
    relay.received(A, message(A, 1, "x"));
    assertThat(effects.take()).containsExactly("grant a 680", "deliver to s1: a1.0 'x' last");
  }

  @Test
  void aViolationLeavesTheOtherEdgesAlone() {
    BroadcastRelay relay = relay(SMALL, effects, A, B);
    relay.received(A, message(A, 2, "x"));
    effects.take();

    relay.received(B, message(B, 1, "x"));

    assertThat(effects.take()).isEmpty();
    assertThat(relay.counters()).isEqualTo(new BroadcastCounters(0, 0, 0, 0, 1, 0));
  }
}
