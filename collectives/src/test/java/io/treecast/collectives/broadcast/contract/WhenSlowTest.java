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

/** The treatment of a subscriber that does not keep up, and of publishers. */
class WhenSlowTest {
  private static final long CHUNK_COST = Chunk.cost(4);

  /**
   * Room for five full chunks that wait, the given number in the log, and two with a subscriber.
   */
  private static BroadcastLimits log(int chunks) {
    return BroadcastLimits.builder()
        .chunkBytes(4)
        .payloadBytes(20)
        .publishBufferBytes(5 * CHUNK_COST)
        .logBytes(chunks * CHUNK_COST)
        .edgeWindowBytes(9 * CHUNK_COST)
        .subscriberWindowBytes(2 * CHUNK_COST)
        .subscribers(9)
        .topics(9)
        .origins(5)
        .build();
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
  void slow_publisher_keeps_everything_and_refuses_publishers() throws Exception {
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
  void a_stalled_subscriber_is_not_waited_for_and_gets_gaps() throws Exception {
    BroadcastRelay relay = withPatience(1, SubscribeOptions.defaults());
    publish(relay, 7);
    relay.tick(0);
    assertThat(relay.nextDeadlineNanos()).isLessThanOrEqualTo(SECOND);
    relay.tick(SECOND - 1);
    assertThat(relay.publisher().canPublish(4)).isFalse();
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
  void a_subscriber_that_takes_something_in_time_is_waited_for() throws Exception {
    BroadcastRelay relay = withPatience(1, SubscribeOptions.defaults());
    publish(relay, 7);
    relay.tick(0);
    relay.consumed(1, CHUNK_COST);
    relay.tick(SECOND);
    publish(relay, 1);

    assertThat(relay.publisher().canPublish(4)).isFalse();
    assertThat(relay.counters().fallenBehind()).isZero();
  }

  @Test
  void a_stalled_subscriber_in_total_order_is_not_waited_for_either() throws Exception {
    BroadcastRelay relay = withPatience(60, SubscribeOptions.defaults().withTotalOrder());
    for (int i = 0; i < 5; i++) {
      while (relay.publisher().canPublish(4)) {
        publish(relay, 1);
      }
      relay.tick(i * SECOND);
    }
    assertThat(relay.publisher().canPublish(4)).isFalse();

    relay.tick(70 * SECOND);
    relay.tick(80 * SECOND);
    assertThat(relay.counters().fallenBehind()).isEqualTo(1);
    assertThat(relay.publisher().canPublish(4)).isTrue();
  }

  @Test
  void catch_up_holds_nothing_and_reads_on_from_the_log() throws Exception {
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
  void catch_up_gets_a_gap_for_messages_evicted_meanwhile() throws Exception {
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
  void gap_skips_to_the_next_message_when_more_than_its_window_waits() throws Exception {
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
  void gap_reads_from_the_log_within_its_window() throws Exception {
    BroadcastRelay relay = withSubscriber(9, WhenSlow.GAP);
    publish(relay, 4);
    effects.take();

    relay.consumed(1, 2 * CHUNK_COST);

    assertThat(effects.take())
        .containsExactly(
            "deliver to s1: self3.0 '1234' last", "deliver to s1: self4.0 '1234' last");
  }

  @Test
  void content_that_was_taken_or_evicted_does_not_wait() throws Exception {
    BroadcastRelay relay = withSubscriber(9, WhenSlow.GAP);
    publish(relay, 4);
    relay.consumed(1, CHUNK_COST);
    publish(relay, 1);
    assertThat(relay.counters().missedMessages()).isEqualTo(NONE_MISSED);
    relay.tick(0); // Everything so far is settled: the log releases it.

    publish(relay, 2);
    relay.consumed(1, 2 * CHUNK_COST);
    relay.consumed(1, CHUNK_COST);

    assertThat(relay.counters().missedMessages())
        .containsEntry(MissedReason.NOT_RETAINED, 2L)
        .containsEntry(MissedReason.SKIPPED, 0L);
    assertThat(effects.take()).last().isEqualTo("deliver to s1: self7.0 '1234' last");
  }

  @Test
  void gap_does_not_skip_inside_a_message_however_large() throws Exception {
    BroadcastRelay relay = withSubscriber(9, WhenSlow.GAP);
    relay.publish(bytes("12345678901234567890"));
    relay.consumed(1, 2 * CHUNK_COST);
    relay.consumed(1, 2 * CHUNK_COST);

    assertThat(effects.take()).hasSize(5).last().asString().endsWith("self1.4 '7890' last");
  }

  @Test
  void gap_skips_no_content_from_before_its_start() throws Exception {
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
