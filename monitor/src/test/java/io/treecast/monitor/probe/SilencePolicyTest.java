package io.treecast.monitor.probe;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class SilencePolicyTest {
  private static final Duration HALF = Duration.ofMillis(500);
  private static final Duration THREE = Duration.ofSeconds(3);
  private static final Duration MINUTE = Duration.ofMinutes(1);

  @Test
  void the_default_has_the_heartbeat_of_half_a_second() {
    assertThat(SilencePolicy.DEFAULT)
        .isEqualTo(
            new SilencePolicy(
                HALF, Duration.ofMillis(2_600), MINUTE, MINUTE, Duration.ofSeconds(250)));
  }

  @Test
  void another_heartbeat_bears_the_same_pause() {
    SilencePolicy quick = SilencePolicy.forHeartbeat(Duration.ofMillis(50));
    assertThat(quick.minThreshold()).isEqualTo(Duration.ofMillis(2_150));
    assertThat(quick.memory()).isEqualTo(Duration.ofSeconds(6));

    SilencePolicy slow = SilencePolicy.forHeartbeat(MINUTE);
    assertThat(slow.minThreshold()).isEqualTo(Duration.ofMinutes(2));
    assertThat(slow.maxThreshold()).isEqualTo(Duration.ofMinutes(2));
  }

  @Test
  void the_shortest_and_the_longest_heartbeat_have_a_policy() {
    assertThat(SilencePolicy.forHeartbeat(Duration.ofMillis(10)).minThreshold())
        .isEqualTo(Duration.ofMillis(2_110));
    assertThat(SilencePolicy.forHeartbeat(Duration.ofHours(1)).memory())
        .isEqualTo(Duration.ofDays(5));
  }

  @Test
  void accepts_the_limits_themselves() {
    Duration tick = Duration.ofMillis(10);
    Duration two = Duration.ofMillis(20);
    assertThat(new SilencePolicy(tick, two, two, Duration.ofMillis(100), Duration.ZERO).stretch())
        .isZero();
    Duration day = Duration.ofHours(24);
    assertThat(new SilencePolicy(Duration.ofHours(1), day, day, Duration.ofDays(7), day).memory())
        .isEqualTo(Duration.ofDays(7));
  }

  @Test
  void an_error_names_the_setting_its_value_and_the_allowed_range() {
    refused(
        "heartbeatInterval is PT0.009S; allowed is PT0.01S to PT1H",
        Duration.ofMillis(9),
        THREE,
        MINUTE,
        MINUTE,
        MINUTE);
    refused(
        "minThreshold is PT0.999S; allowed is PT1S to PT24H",
        HALF,
        Duration.ofMillis(999),
        MINUTE,
        MINUTE,
        MINUTE);
    refused(
        "maxThreshold is PT2S; allowed is PT3S to PT24H",
        HALF,
        THREE,
        Duration.ofSeconds(2),
        MINUTE,
        MINUTE);
    refused("memory is PT3S; allowed is PT5S to PT168H", HALF, THREE, MINUTE, THREE, MINUTE);
    refused(
        "stretch is PT-1S; allowed is PT0S to PT24H",
        HALF,
        THREE,
        MINUTE,
        MINUTE,
        Duration.ofSeconds(-1));
  }

  private static void refused(
      String message,
      Duration heartbeatInterval,
      Duration minThreshold,
      Duration maxThreshold,
      Duration memory,
      Duration stretch) {
    assertThatIllegalArgumentException()
        .isThrownBy(
            () -> new SilencePolicy(heartbeatInterval, minThreshold, maxThreshold, memory, stretch))
        .withMessage(message);
  }
}
