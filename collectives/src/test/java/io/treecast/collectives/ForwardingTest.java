package io.treecast.collectives;

import static io.treecast.collectives.Examples.A;
import static io.treecast.collectives.Examples.B;
import static io.treecast.collectives.Examples.C;
import static io.treecast.collectives.Examples.FIRST_START;
import static io.treecast.collectives.Examples.PLENTY;
import static io.treecast.collectives.Examples.SELF;
import static io.treecast.collectives.Examples.SMALL;
import static io.treecast.collectives.Examples.chunk;
import static io.treecast.collectives.Examples.lastChunk;
import static io.treecast.collectives.Examples.message;
import static io.treecast.collectives.Examples.relay;
import static io.treecast.collectives.Examples.star;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import io.treecast.ghs.NodeId;
import org.junit.jupiter.api.Test;

class ForwardingTest {
  private static final NodeId FAR = NodeId.of("far");

  private final RecordingEffects effects = new RecordingEffects();

  @Test
  void aChunkGoesToEveryNeighbourButTheOneItCameFromThenToSubscribersInTheirOrder()
      throws Exception {
    BroadcastRelay relay = relay(SMALL, effects, C, B, A);
    relay.subscribe(9);
    relay.subscribe(4);

    relay.received(B, message(FAR, 1, "x"));

    assertThat(effects.take())
        .containsExactly(
            "send to a: far1.0 'x' last",
            "send to c: far1.0 'x' last",
            "deliver to s9: far1.0 'x' last",
            "deliver to s4: far1.0 'x' last");
  }

  @Test
  void chunksAreForwardedBeforeTheirMessageIsComplete() throws Exception {
    BroadcastRelay relay = relay(SMALL, effects, A, B);
    relay.subscribe(1);

    relay.received(A, chunk(FAR, 1, 0, "abcd"));

    assertThat(effects.take())
        .containsExactly("send to b: far1.0 'abcd'", "deliver to s1: far1.0 'abcd'");
  }

  @Test
  void messagesOfDifferentOriginsInterleave() {
    BroadcastRelay relay = relay(SMALL, effects, A, B);

    relay.received(A, chunk(FAR, 1, 0, "abcd"));
    relay.received(A, message(A, 1, "x"));
    relay.received(A, lastChunk(FAR, 1, 1, "e"));

    assertThat(effects.take())
        .filteredOn(line -> line.startsWith("send"))
        .containsExactly(
            "send to b: far1.0 'abcd'", "send to b: a1.0 'x' last", "send to b: far1.1 'e' last");
  }

  @Test
  void whatCameBeforeThisNodesCommitWaitsForItThenMovesInOrder() throws Exception {
    BroadcastRelay relay = new BroadcastRelay(SELF, FIRST_START, SMALL, effects);
    relay.edgeOpened(A);
    relay.edgeOpened(B);
    relay.granted(A, PLENTY);
    relay.granted(B, PLENTY);
    relay.subscribe(1);
    effects.take();

    relay.received(A, message(A, 1, "x"));
    relay.received(B, message(B, 1, "y"));
    relay.received(A, message(A, 2, "z"));
    assertThat(effects.take()).isEmpty();
    assertThat(relay.counters().waitingBytes()).isEqualTo(3 * 65);

    relay.treeCommitted(star(A, B));
    assertThat(effects.take())
        .containsExactly(
            "send to b: a1.0 'x' last",
            "deliver to s1: a1.0 'x' last",
            "send to b: a2.0 'z' last",
            "deliver to s1: a2.0 'z' last",
            "send to a: b1.0 'y' last",
            "deliver to s1: b1.0 'y' last");
    assertThat(relay.counters().waitingBytes()).isZero();
  }

  @Test
  void anEarlyNeighbourCannotSendMoreThanItsWindowBeforeTheCommit() {
    BroadcastRelay relay = new BroadcastRelay(SELF, FIRST_START, SMALL, effects);
    relay.edgeOpened(A);
    for (int i = 1; i <= 10; i++) {
      relay.received(A, message(A, i, "1234"));
    }
    effects.take();

    relay.received(A, message(A, 11, ""));

    assertThat(effects.take())
        .containsExactly(
            "violated by a: a/0000000000000001/11 chunk 0 (last, 0 bytes) exceeds the credit "
                + "granted of limits.edgeWindowBytes");
  }

  @Test
  void chunksForATreeEdgeWaitUntilItsStreamIsOpenAndHasCredit() throws Exception {
    BroadcastRelay relay = new BroadcastRelay(SELF, FIRST_START, SMALL, effects);
    relay.treeCommitted(star(A));
    relay.publish(Examples.bytes("x"));
    assertThat(effects.take()).isEmpty();

    relay.edgeOpened(A);
    assertThat(effects.take()).containsExactly("grant a 680");

    relay.granted(A, PLENTY);
    assertThat(effects.take()).containsExactly("send to a: self1.0 'x' last");
  }

  @Test
  void aClosedEdgeLosesWhatWaitedForItAndHoldsUpNobodyElse() {
    BroadcastRelay relay = new BroadcastRelay(SELF, FIRST_START, SMALL, effects);
    relay.treeCommitted(star(A, B, C));
    relay.edgeOpened(A);
    relay.edgeOpened(B);
    relay.edgeOpened(C);
    relay.granted(C, PLENTY);
    relay.received(A, message(A, 1, "x"));
    assertThat(relay.counters().waitingBytes()).isEqualTo(65);

    relay.edgeClosed(B);
    assertThat(relay.counters().waitingBytes()).isZero();
    assertThat(relay.counters().lostChunks()).isEqualTo(1);
    effects.take();

    relay.received(A, message(A, 2, "y"));
    assertThat(effects.take()).containsExactly("send to c: a2.0 'y' last");
    assertThat(relay.counters().lostChunks()).isEqualTo(2);
  }

  @Test
  void whatCameByAnEdgeThatClosedIsForwardedStill() {
    BroadcastRelay relay = new BroadcastRelay(SELF, FIRST_START, SMALL, effects);
    relay.treeCommitted(star(A, B));
    relay.edgeOpened(A);
    relay.received(A, message(A, 1, "x"));
    relay.edgeClosed(A);
    effects.take();

    relay.edgeOpened(B);
    relay.granted(B, PLENTY);

    assertThat(effects.take()).containsExactly("grant b 680", "send to b: a1.0 'x' last");
    assertThat(relay.counters().waitingBytes()).isZero();
  }

  @Test
  void whatWaitedForTheCommitOnAnEdgeThatClosedIsForgotten() {
    BroadcastRelay relay = new BroadcastRelay(SELF, FIRST_START, SMALL, effects);
    relay.edgeOpened(A);
    relay.received(A, message(A, 1, "x"));
    relay.edgeClosed(A);
    effects.take();

    relay.treeCommitted(star(A));

    assertThat(effects.take()).isEmpty();
    assertThat(relay.origins()).hasSize(1);
    assertThat(relay.counters().waitingBytes()).isZero();
  }

  @Test
  void aCommitWithoutAnEdgeStopsSendingOnIt() throws Exception {
    BroadcastRelay relay = relay(SMALL, effects, A, B);

    relay.treeCommitted(star(A));
    relay.publish(Examples.bytes("x"));

    assertThat(effects.take()).containsExactly("send to a: self1.0 'x' last");
  }

  @Test
  void aCommitWithoutAnEdgeThatNeverOpenedGivesUpWhatWaitedForIt() throws Exception {
    BroadcastRelay relay = new BroadcastRelay(SELF, FIRST_START, SMALL, effects);
    relay.treeCommitted(star(A));
    relay.publish(Examples.bytes("x"));

    relay.treeCommitted(star(B));

    assertThat(relay.counters().waitingBytes()).isZero();
    assertThat(relay.counters().lostChunks()).isEqualTo(1);
  }

  @Test
  void aCommitMakesALostEdgeAwaitedAgain() throws Exception {
    BroadcastRelay relay = relay(SMALL, effects, A);
    relay.edgeClosed(A);

    relay.treeCommitted(star(A));
    relay.publish(Examples.bytes("x"));
    relay.edgeOpened(A);
    relay.granted(A, PLENTY);

    assertThat(effects.take()).containsExactly("grant a 680", "send to a: self1.0 'x' last");
  }

  @Test
  void aDriverThatErrsIsTold() {
    BroadcastRelay relay = relay(SMALL, effects, A);

    assertThatIllegalStateException()
        .isThrownBy(() -> relay.edgeOpened(A))
        .withMessage("the data stream to a is open already");
    BroadcastRelay stranger = new BroadcastRelay(B, FIRST_START, SMALL, effects);
    assertThatIllegalArgumentException()
        .isThrownBy(() -> stranger.treeCommitted(star(A)))
        .withMessage("b is no member of the committed tree v1 root self, 1 edges");
  }

  @Test
  void countsWhatItDid() throws Exception {
    BroadcastRelay relay = relay(SMALL, effects, A, B);
    relay.subscribe(1);
    relay.subscribe(2);
    relay.publish(Examples.bytes("12345"));
    relay.received(A, message(A, 1, "x"));
    relay.received(A, message(A, 1, "x"));

    assertThat(relay.counters()).isEqualTo(new BroadcastCounters(1, 4, 5, 1, 0, 0));
  }
}
