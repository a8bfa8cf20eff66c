package io.treecast.monitor.probe;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class ProbePolicyTest {
  private static final Duration TENTH = Duration.ofMillis(100);
  private static final Duration FIVE = Duration.ofSeconds(5);

  @Test
  void the_default_sends_ten_probes_in_the_first_second_and_one_each_half_second_after() {
    assertThat(ProbePolicy.DEFAULT)
        .isEqualTo(
            new ProbePolicy(10, 8, TENTH, Duration.ofMillis(500), Duration.ofSeconds(40), 5));
  }

  @Test
  void by_default_the_steady_probes_are_the_heartbeat_that_silence_is_judged_by() {
    assertThat(ProbePolicy.DEFAULT.steadyInterval())
        .isEqualTo(SilencePolicy.DEFAULT.heartbeatInterval());
  }

  @Test
  void accepts_the_limits_themselves() {
    Duration ms = Duration.ofMillis(1);
    Duration heartbeat = Duration.ofMillis(SilencePolicy.MIN_HEARTBEAT_MILLIS);
    assertThat(new ProbePolicy(1, 1, ms, heartbeat, ms, 1).initialProbes()).isEqualTo(1);
    assertThat(
            new ProbePolicy(
                    ProbePolicy.MAX_INITIAL_PROBES,
                    ProbePolicy.MAX_INITIAL_PROBES,
                    Duration.ofMinutes(1),
                    Duration.ofHours(1),
                    Duration.ofHours(1),
                    ProbePolicy.MAX_WINDOW_SAMPLES)
                .windowSamples())
        .isEqualTo(10_000);
  }

  @Test
  void an_error_names_the_setting_its_value_and_the_allowed_range() {
    refused("initialProbes is 0; allowed is 1 to 100", 0, 1, TENTH, FIVE, FIVE, 10);
    refused("initialProbes is 101; allowed is 1 to 100", 101, 1, TENTH, FIVE, FIVE, 10);
    refused("samplesRequired is 0; allowed is 1 to 10", 10, 0, TENTH, FIVE, FIVE, 10);
    refused("samplesRequired is 11; allowed is 1 to 10", 10, 11, TENTH, FIVE, FIVE, 10);
    refused(
        "initialInterval is PT0S; allowed is PT0.001S to PT1M",
        10,
        8,
        Duration.ZERO,
        FIVE,
        FIVE,
        10);
    refused(
        "steadyInterval is PT0.099S; allowed is PT0.1S to PT1H",
        10,
        8,
        TENTH,
        Duration.ofMillis(99),
        FIVE,
        10);
    refused(
        "replyTimeout is PT1H0.001S; allowed is PT0.001S to PT1H",
        10,
        8,
        TENTH,
        FIVE,
        Duration.ofHours(1).plusMillis(1),
        10);
    refused("windowSamples is 0; allowed is 1 to 10000", 10, 8, TENTH, FIVE, FIVE, 0);
  }

  private static void refused(
      String message,
      int initialProbes,
      int samplesRequired,
      Duration initialInterval,
      Duration steadyInterval,
      Duration replyTimeout,
      int windowSamples) {
    assertThatIllegalArgumentException()
        .isThrownBy(
            () ->
                new ProbePolicy(
                    initialProbes,
                    samplesRequired,
                    initialInterval,
                    steadyInterval,
                    replyTimeout,
                    windowSamples))
        .withMessage(message);
  }

  @Test
  void one_probe_of_a_brief_burst_may_be_lost() {
    ProbePolicy brief = ProbePolicy.DEFAULT.brief(5);
    assertThat(brief.initialProbes()).isEqualTo(5);
    assertThat(brief.samplesRequired()).isEqualTo(4);
    assertThat(brief.brief(6)).isEqualTo(brief);
  }

  @Test
  void the_briefest_burst_is_a_single_probe_that_must_be_answered() {
    ProbePolicy brief = ProbePolicy.DEFAULT.brief(1);
    assertThat(brief.initialProbes()).isEqualTo(1);
    assertThat(brief.samplesRequired()).isEqualTo(1);
  }
}
