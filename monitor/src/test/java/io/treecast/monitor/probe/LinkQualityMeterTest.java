package io.treecast.monitor.probe;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class LinkQualityMeterTest {
  private static final long MILLI = 1_000_000;
  private static final long LEAST = 10 * MILLI;

  private final LinkQualityMeter meter = new LinkQualityMeter();

  private long nowMillis = 1_000;

  private LinkQuality quality() {
    return meter.quality(nowMillis * MILLI);
  }

  /** Handles the reply to a probe that was sent when the previous one was answered. */
  private void replied(long rttMillis) {
    nowMillis += rttMillis;
    repliedNow(rttMillis);
  }

  private void repliedNow(long rttMillis) {
    meter.replied(rttMillis * MILLI, LEAST, nowMillis * MILLI);
  }

  @Test
  void a_link_without_replies_has_neither_jitter_nor_loss() {
    assertThat(quality()).isEqualTo(new LinkQuality(0, 0, 0));
  }

  @Test
  void jitter_grows_by_a_sixteenth_of_the_difference_of_two_round_trips() {
    replied(10);
    replied(26);
    assertThat(quality().jitterMicros()).isEqualTo(1_000);
    replied(26);
    assertThat(quality().jitterMicros()).isEqualTo(1_000 - 62);
  }

  @Test
  void jitter_approaches_a_constant_difference_of_round_trips() {
    for (int i = 0; i < 200; i++) {
      replied(i % 2 == 0 ? 10 : 14);
    }
    assertThat(quality()).isEqualTo(new LinkQuality(4_000, 0, 0));
  }

  @Test
  void a_reply_that_is_late_by_a_retransmission_is_a_loss_and_no_jitter() {
    replied(10);
    replied(210);
    replied(10);
    replied(170);
    assertThat(quality().lossPercent()).isEqualTo(25);
    assertThat(quality().jitterMicros()).isEqualTo(160_000 / 16);
  }

  @Test
  void a_late_probe_that_waited_for_a_late_one_is_ignored() {
    replied(10);
    replied(10);
    replied(10);
    replied(400);
    repliedNow(350); // Sent 50 ms behind it, and delayed by it.
    repliedNow(300);
    assertThat(quality()).as("one of four").isEqualTo(new LinkQuality(0, 25, 0));
    repliedNow(150);
    assertThat(quality()).as("punctual, one of five").isEqualTo(new LinkQuality(8_750, 20, 0));
    replied(250);
    replied(250);
    assertThat(quality().lossPercent()).as("each for itself").isEqualTo(43);
  }

  @Test
  void a_loss_is_forgotten_after_a_hundred_replies() {
    replied(210);
    for (int i = 1; i < LinkQualityMeter.WINDOW_REPLIES; i++) {
      replied(10);
    }
    assertThat(quality().lossPercent()).isEqualTo(1);
    replied(10);
    assertThat(quality().lossPercent()).isZero();
  }

  @Test
  void a_loss_is_forgotten_after_five_minutes() {
    replied(10);
    replied(210);
    nowMillis += 299_000;
    replied(10);
    assertThat(quality().lossPercent()).as("one of three").isEqualTo(33);
    nowMillis += 2_000;
    assertThat(quality()).isEqualTo(new LinkQuality(0, 0, 0));
  }

  @Test
  void a_discarded_round_trip_is_neither_jitter_nor_part_of_the_loss() {
    replied(10);
    replied(210);
    meter.discarded(nowMillis * MILLI);
    meter.discarded(nowMillis * MILLI);
    assertThat(quality()).isEqualTo(new LinkQuality(0, 50, 50));
  }
}
