package io.treecast.collectives.broadcast.contract;

import static io.treecast.collectives.broadcast.Examples.FIRST_START;
import static io.treecast.collectives.broadcast.Examples.NONE_MISSED;
import static io.treecast.collectives.broadcast.Examples.SELF;
import static io.treecast.collectives.broadcast.Examples.bytes;
import static io.treecast.collectives.broadcast.Examples.star;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.treecast.collectives.broadcast.BroadcastRelay;
import io.treecast.collectives.broadcast.RecordingEffects;
import io.treecast.collectives.broadcast.contract.BroadcastRefusedException.Reason;
import io.treecast.collectives.broadcast.message.Chunk;
import io.treecast.collectives.broadcast.message.MissedReason;
import org.junit.jupiter.api.Test;

/** What becomes of a subscriber that does not take what there is for it, and of publishers. */
class WhenSlowTest {
  private static final long CHUNK_COST = Chunk.cost(4);

  /** Room for five full chunks that wait, so many in the log, and two with a subscriber. */
  private static BroadcastLimits log(int chunks) {
    return new BroadcastLimits(
        4, 20, 5 * CHUNK_COST, chunks * CHUNK_COST, 9 * CHUNK_COST, 2 * CHUNK_COST, 9, 9, 5);
  }

  private final RecordingEffects effects = new RecordingEffects();

  private BroadcastRelay withSubscriber(int logChunks, WhenSlow whenSlow) throws Exception {
    BroadcastRelay relay = new BroadcastRelay(SELF, FIRST_START, log(logChunks), effects);
    relay.treeCommitted(star());
    relay.subscribe(1, SubscribeOptions.defaults().withWhenSlow(whenSlow));
    return relay;
  }

  private static void publish(BroadcastRelay relay, int messages) throws Exception {
    for (int i = 0; i < messages; i++) {
      relay.publish(bytes("1234"));
    }
  }

  @Test
  void slowPublisherKeepsEverythingAndRefusesPublishers() throws Exception {
    BroadcastRelay relay = withSubscriber(9, WhenSlow.SLOW_PUBLISHER);
    publish(relay, 7);

    assertThatExceptionOfType(BroadcastRefusedException.class)
        .isThrownBy(() -> relay.publish(bytes("1234")))
        .satisfies(e -> assertThat(e.reason()).isEqualTo(Reason.PUBLISH_BUFFER_FULL));
    assertThat(relay.counters().waitingBytes()).isEqualTo(5 * CHUNK_COST);
  }

  private static final long SECOND = 1_000_000_000L;

  private BroadcastRelay withPatience(int seconds, SubscribeOptions options) throws Exception {
    BroadcastLimits limits = log(9).withSlowSubscriberMillis(seconds * 1_000L);
    BroadcastRelay relay = new BroadcastRelay(SELF, FIRST_START, limits, effects);
    relay.treeCommitted(star());
    relay.subscribe(1, options);
    return relay;
  }

  @Test
  void whoTakesNothingForTooLongIsNotWaitedForAndToldWhatItMisses() throws Exception {
    BroadcastRelay relay = withPatience(1, SubscribeOptions.defaults());
    publish(relay, 7);
    relay.tick(0);
    assertThat(relay.nextDeadlineNanos()).isLessThanOrEqualTo(SECOND);
    relay.tick(SECOND - 1);
    assertThat(relay.publisher().mayGoOn(4)).isFalse();
    assertThat(relay.counters().fallenBehind()).isZero();
    effects.take();

    relay.tick(2 * SECOND);
    assertThat(effects.take()).contains("s1 fell behind");
    assertThat(relay.counters().fallenBehind()).isEqualTo(1);
    publish(relay, 9);

    relay.consumed(1, 2 * CHUNK_COST);
    assertThat(effects.take()).filteredOn(line -> line.contains("missed")).hasSize(1);
  }

  @Test
  void whoTakesSomethingInTimeIsWaitedFor() throws Exception {
    BroadcastRelay relay = withPatience(1, SubscribeOptions.defaults());
    publish(relay, 7);
    relay.tick(0);
    relay.consumed(1, CHUNK_COST);
    relay.tick(SECOND);
    publish(relay, 1);

    assertThat(relay.publisher().mayGoOn(4)).isFalse();
    assertThat(relay.counters().fallenBehind()).isZero();
  }

  @Test
  void whoTakesNothingInTotalOrderIsNotWaitedForEither() throws Exception {
    BroadcastRelay relay = withPatience(60, SubscribeOptions.defaults().withTotalOrder());
    for (int i = 0; i < 5; i++) {
      while (relay.publisher().mayGoOn(4)) {
        publish(relay, 1);
      }
      relay.tick(i * SECOND);
    }
    assertThat(relay.publisher().mayGoOn(4)).isFalse();

    relay.tick(70 * SECOND);
    relay.tick(80 * SECOND);
    assertThat(relay.counters().fallenBehind()).isEqualTo(1);
    assertThat(relay.publisher().mayGoOn(4)).isTrue();
  }

  @Test
  void catchUpHoldsNothingAndReadsOnFromTheLog() throws Exception {
    BroadcastRelay relay = withSubscriber(9, WhenSlow.CATCH_UP);
    publish(relay, 8);
    assertThat(relay.counters().waitingBytes()).isZero();
    effects.take();

    relay.consumed(1, 2 * CHUNK_COST);

    assertThat(effects.take())
        .containsExactly(
            "deliver to s1: self3.0 '1234' last", "deliver to s1: self4.0 '1234' last");
  }

  @Test
  void catchUpIsToldWhatTheLogHasLostMeanwhile() throws Exception {
    BroadcastRelay relay = withSubscriber(9, WhenSlow.CATCH_UP);
    publish(relay, 6);
    relay.tick(0);
    publish(relay, 1);
    effects.take();

    relay.consumed(1, 2 * CHUNK_COST);

    assertThat(effects.take())
        .containsExactly("s1 missed self3 to 6", "deliver to s1: self7.0 '1234' last");
    assertThat(relay.counters().missedMessages()).containsEntry(MissedReason.NOT_RETAINED, 4L);
  }

  @Test
  void gapSkipsToWhatIsNewWhenMoreThanItsWindowWaits() throws Exception {
    BroadcastRelay relay = withSubscriber(9, WhenSlow.GAP);
    publish(relay, 4);
    assertThat(relay.counters().waitingBytes()).isZero();
    publish(relay, 1);
    effects.take();

    relay.consumed(1, 2 * CHUNK_COST);
    publish(relay, 1);

    assertThat(effects.take())
        .containsExactly("s1 missed self3 to 5", "deliver to s1: self6.0 '1234' last");
    assertThat(relay.counters().missedMessages()).containsEntry(MissedReason.SKIPPED, 3L);
  }

  @Test
  void gapWaitsInTheLogForWhatIsWithinItsWindow() throws Exception {
    BroadcastRelay relay = withSubscriber(9, WhenSlow.GAP);
    publish(relay, 4);
    effects.take();

    relay.consumed(1, 2 * CHUNK_COST);

    assertThat(effects.take())
        .containsExactly(
            "deliver to s1: self3.0 '1234' last", "deliver to s1: self4.0 '1234' last");
  }

  @Test
  void whatWasTakenOrIsNotThereAnyMoreDoesNotWait() throws Exception {
    BroadcastRelay relay = withSubscriber(9, WhenSlow.GAP);
    publish(relay, 4);
    relay.consumed(1, CHUNK_COST);
    publish(relay, 1);
    assertThat(relay.counters().missedMessages()).isEqualTo(NONE_MISSED);
    relay.tick(0); // Nobody lacks anything that was published so far: the log lets it go.

    publish(relay, 2);
    relay.consumed(1, 2 * CHUNK_COST);
    relay.consumed(1, CHUNK_COST);

    assertThat(relay.counters().missedMessages())
        .containsEntry(MissedReason.NOT_RETAINED, 2L)
        .containsEntry(MissedReason.SKIPPED, 0L);
    assertThat(effects.take()).last().isEqualTo("deliver to s1: self7.0 '1234' last");
  }

  @Test
  void gapDoesNotSkipInsideAMessageHoweverLarge() throws Exception {
    BroadcastRelay relay = withSubscriber(9, WhenSlow.GAP);
    relay.publish(bytes("12345678901234567890"));
    relay.consumed(1, 2 * CHUNK_COST);
    relay.consumed(1, 2 * CHUNK_COST);

    assertThat(effects.take()).hasSize(5).last().asString().endsWith("self1.4 '7890' last");
  }

  @Test
  void gapSkipsNothingOfWhatItIsCatchingUpWith() throws Exception {
    BroadcastRelay relay = withSubscriber(9, WhenSlow.CATCH_UP);
    publish(relay, 6);
    effects.take();
    SubscribeOptions gap = SubscribeOptions.defaults().withWhenSlow(WhenSlow.GAP);
    relay.subscribe(2, gap.withStart(new SubscriptionStart.Retained()));
    relay.consumed(2, 2 * CHUNK_COST);
    relay.consumed(2, 2 * CHUNK_COST);

    assertThat(effects.take()).hasSize(6).noneMatch(line -> line.contains("missed"));
  }
}
