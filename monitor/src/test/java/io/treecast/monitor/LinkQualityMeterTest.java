package io.treecast.monitor;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class LinkQualityMeterTest {
  private static final long MILLI = 1_000_000;
  private static final long LEAST = 10 * MILLI;

  private final LinkQualityMeter meter = new LinkQualityMeter();

  private void replied(long rttMillis) {
    meter.replied(rttMillis * MILLI, LEAST);
  }

  @Test
  void a_link_without_replies_has_neither_jitter_nor_loss() {
    assertThat(meter.quality()).isEqualTo(new LinkQuality(0, 0));
  }

  @Test
  void jitter_grows_by_a_sixteenth_of_what_two_round_trips_differ_by() {
    replied(10);
    replied(26);
    assertThat(meter.quality().jitterMicros()).isEqualTo(1_000);
    replied(26);
    assertThat(meter.quality().jitterMicros()).isEqualTo(1_000 - 62);
  }

  @Test
  void jitter_becomes_what_round_trips_differ_by_all_the_time() {
    for (int i = 0; i < 200; i++) {
      replied(i % 2 == 0 ? 10 : 14);
    }
    assertThat(meter.quality()).isEqualTo(new LinkQuality(4_000, 0));
  }

  @Test
  void a_reply_that_is_late_by_a_retransmission_is_a_loss_and_no_jitter() {
    replied(10);
    replied(210);
    replied(10);
    replied(170);
    assertThat(meter.quality().lossPercent()).isEqualTo(25);
    assertThat(meter.quality().jitterMicros()).isEqualTo(160_000 / 16);
  }

  @Test
  void a_loss_is_forgotten_after_a_hundred_replies() {
    replied(210);
    for (int i = 1; i < LinkQualityMeter.WINDOW_REPLIES; i++) {
      replied(10);
    }
    assertThat(meter.quality().lossPercent()).isEqualTo(1);
    replied(10);
    assertThat(meter.quality().lossPercent()).isZero();
  }
}
