package io.treecast.collectives;

import static io.treecast.collectives.Examples.A;
import static io.treecast.collectives.Examples.B;
import static io.treecast.collectives.Examples.C;
import static io.treecast.collectives.Examples.FIRST_START;
import static io.treecast.collectives.Examples.PLENTY;
import static io.treecast.collectives.Examples.SELF;
import static io.treecast.collectives.Examples.SMALL;
import static io.treecast.collectives.Examples.bytes;
import static io.treecast.collectives.Examples.limits;
import static io.treecast.collectives.Examples.message;
import static io.treecast.collectives.Examples.relay;
import static io.treecast.collectives.Examples.star;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import org.junit.jupiter.api.Test;

class BackPressureTest {
  /** Windows of one full chunk: every byte given back is granted at once. */
  private static final BroadcastLimits TINY = limits(1, 1);

  private final RecordingEffects effects = new RecordingEffects();

  @Test
  void anOpenedStreamGrantsItsWindow() {
    BroadcastRelay relay = new BroadcastRelay(SELF, FIRST_START, SMALL, effects);

    relay.edgeOpened(A);

    assertThat(effects.take()).containsExactly("grant a 680");
  }

  @Test
  void nothingIsSentWithoutCredit() throws Exception {
    BroadcastRelay relay = new BroadcastRelay(SELF, FIRST_START, SMALL, effects);
    relay.treeCommitted(star(A));
    relay.edgeOpened(A);
    effects.take();

    relay.publish(bytes("abcdefgh"));
    assertThat(effects.take()).isEmpty();

    relay.granted(A, 68 + 67);
    assertThat(effects.take()).containsExactly("send to a: self1.0 'abcd'");

    relay.granted(A, 1);
    assertThat(effects.take()).containsExactly("send to a: self1.1 'efgh' last");
  }

  @Test
  void aSmallChunkDoesNotOvertakeALargeOneThatWaitsForCredit() throws Exception {
    BroadcastRelay relay = new BroadcastRelay(SELF, FIRST_START, SMALL, effects);
    relay.treeCommitted(star(A));
    relay.edgeOpened(A);
    relay.granted(A, 68 + 65);
    effects.take();

    relay.publish(bytes("abcd"));
    relay.publish(bytes("efgh"));
    relay.publish(bytes(""));

    assertThat(effects.take()).containsExactly("send to a: self1.0 'abcd' last");
  }

  @Test
  void aNeighbourGetsItsCreditBackWhenTheLastOutletHasSentTheChunk() throws Exception {
    BroadcastRelay relay = new BroadcastRelay(SELF, FIRST_START, TINY, effects);
    relay.treeCommitted(star(A, B, C));
    relay.edgeOpened(A);
    relay.edgeOpened(B);
    relay.edgeOpened(C);
    effects.take();
    relay.received(A, message(A, 1, "x"));

    relay.granted(B, PLENTY);
    assertThat(effects.take()).containsExactly("send to b: a1.0 'x' last");

    relay.granted(C, PLENTY);
    assertThat(effects.take()).containsExactly("send to c: a1.0 'x' last", "grant a 65");
  }

  @Test
  void aLeafWithoutSubscribersGivesCreditBackAtOnce() {
    BroadcastRelay relay = relay(TINY, effects, A);

    relay.received(A, message(A, 1, "x"));

    assertThat(effects.take()).containsExactly("grant a 65");
  }

  @Test
  void creditIsGivenBackInBatchesOfAQuarterOfTheWindow() {
    BroadcastRelay relay = relay(SMALL, effects, A);

    relay.received(A, message(A, 1, "1234"));
    relay.received(A, message(A, 2, "1234"));
    assertThat(effects.take()).isEmpty();

    relay.received(A, message(A, 3, "1234"));
    assertThat(effects.take()).containsExactly("grant a 204");
  }

  @Test
  void aBatchNeverKeepsANeighbourFromSendingOneChunk() {
    BroadcastLimits limits = new BroadcastLimits(1_000, 1_000, 2_000, 1_100, 2_000, 1, 3);
    BroadcastRelay relay = relay(limits, effects, A);

    relay.received(A, message(A, 1, ""));

    assertThat(effects.take()).containsExactly("grant a 64");
  }

  @Test
  void aSlowSubscriberHoldsBackTheNeighbour() throws Exception {
    BroadcastRelay relay = relay(limits(2, 1), effects, A);
    relay.subscribe(1);

    relay.received(A, message(A, 1, "1234"));
    assertThat(effects.take()).containsExactly("deliver to s1: a1.0 '1234' last", "grant a 68");

    relay.received(A, message(A, 2, "5678"));
    assertThat(effects.take()).isEmpty();
    assertThat(relay.counters().waitingBytes()).isEqualTo(68);

    relay.consumed(1, 67);
    assertThat(effects.take()).isEmpty();

    relay.consumed(1, 1);
    assertThat(effects.take()).containsExactly("deliver to s1: a2.0 '5678' last", "grant a 68");
  }

  @Test
  void aSlowSubscriberDoesNotHoldBackAnotherWithinTheWindow() throws Exception {
    BroadcastRelay relay = relay(limits(10, 1), effects, A);
    relay.subscribe(1);
    relay.subscribe(2);
    relay.received(A, message(A, 1, "1234"));
    relay.consumed(2, 68);
    effects.take();

    relay.received(A, message(A, 2, "5678"));

    assertThat(effects.take()).containsExactly("deliver to s2: a2.0 '5678' last");
  }

  @Test
  void anUnsubscribedOneHoldsBackNobody() throws Exception {
    BroadcastRelay relay = relay(TINY, effects, A);
    relay.subscribe(1);
    relay.received(A, message(A, 1, "1234"));
    relay.received(A, message(A, 2, "1234"));
    effects.take();

    relay.unsubscribe(1);

    assertThat(effects.take()).containsExactly("grant a 68");
    assertThat(relay.counters().waitingBytes()).isZero();
    relay.consumed(1, 68);
    relay.unsubscribe(1);
  }

  @Test
  void aSubscriberCannotConsumeMoreThanItWasGiven() throws Exception {
    BroadcastRelay relay = relay(SMALL, effects, A);
    relay.subscribe(1);
    relay.received(A, message(A, 1, "1234"));

    assertThatIllegalArgumentException()
        .isThrownBy(() -> relay.consumed(1, 69))
        .withMessage("subscriber 1 consumed 69 bytes; delivered and not consumed were 68");
    assertThatIllegalArgumentException().isThrownBy(() -> relay.consumed(1, -1));
    relay.consumed(1, 68);
  }

  @Test
  void aReopenedStreamIsGrantedOnlyWhatDoesNotStillWaitFromTheEarlierOne() throws Exception {
    BroadcastRelay relay = relay(limits(4, 1), effects, A);
    relay.subscribe(1);
    relay.received(A, message(A, 1, "1234"));
    relay.received(A, message(A, 2, "1234"));
    relay.received(A, message(A, 3, "1234"));
    relay.edgeClosed(A);
    effects.take();

    relay.edgeOpened(A);
    assertThat(effects.take()).containsExactly("grant a 136");

    relay.consumed(1, 68);
    assertThat(effects.take()).containsExactly("deliver to s1: a2.0 '1234' last", "grant a 68");
  }

  @Test
  void aReopenedStreamIsFirstGrantedAtLeastOneChunk() throws Exception {
    BroadcastLimits limits = new BroadcastLimits(100, 100, 1_000, 328, 164, 1, 3);
    BroadcastRelay relay = relay(limits, effects, A);
    relay.subscribe(1);
    relay.received(A, message(A, 1, "x".repeat(100)));
    relay.received(A, message(A, 2, "y".repeat(100)));
    relay.received(A, message(A, 3, ""));
    relay.edgeClosed(A);
    effects.take();

    relay.edgeOpened(A);
    assertThat(effects.take()).isEmpty();

    relay.consumed(1, 164);
    assertThat(effects.take())
        .containsExactly("deliver to s1: a2.0 '" + "y".repeat(100) + "' last", "grant a 264");
  }

  @Test
  void anEdgeThatLeftTheTreeStillCountsWhatWaitsOfItWhenItComesBack() throws Exception {
    BroadcastRelay relay = relay(limits(4, 1), effects, A);
    relay.subscribe(1);
    relay.received(A, message(A, 1, "1234"));
    relay.received(A, message(A, 2, "1234"));
    relay.treeCommitted(star());
    relay.edgeClosed(A);
    relay.treeCommitted(star(A));
    effects.take();

    relay.edgeOpened(A);

    assertThat(effects.take()).containsExactly("grant a 204");
  }

  @Test
  void aReopenedStreamForgetsTheCreditOfTheEarlierOne() throws Exception {
    BroadcastRelay relay = relay(SMALL, effects, A);
    relay.edgeClosed(A);
    relay.edgeOpened(A);
    effects.take();

    relay.publish(bytes("x"));

    assertThat(effects.take()).isEmpty();
  }
}
