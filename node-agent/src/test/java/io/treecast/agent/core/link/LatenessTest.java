package io.treecast.agent.core.link;

import static org.assertj.core.api.Assertions.assertThat;

import io.treecast.agent.core.message.PeerMessage;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class LatenessTest {
  private static final long MILLI = 1_000_000;

  private final Lateness lateness = new Lateness();

  @ParameterizedTest
  @ValueSource(longs = {0, -3_600_000_000_000L, 3_600_000_000_000L})
  void the_most_counts_for_one_to_two_periods(long startNanos) {
    lateness.noted(0, startNanos);
    lateness.noted(7 * MILLI, startNanos + MILLI);
    lateness.noted(3 * MILLI, startNanos + 2 * MILLI);
    assertThat(lateness.mostNanos(startNanos + 3 * MILLI)).isEqualTo(7 * MILLI);
    assertThat(lateness.mostNanos(startNanos + Lateness.PERIOD_NANOS)).isEqualTo(7 * MILLI);
    lateness.noted(MILLI, startNanos + Lateness.PERIOD_NANOS + MILLI);
    assertThat(lateness.mostNanos(startNanos + 2 * Lateness.PERIOD_NANOS)).isEqualTo(MILLI);
    assertThat(lateness.mostNanos(startNanos + 9 * Lateness.PERIOD_NANOS)).isZero();
  }

  @ParameterizedTest
  @ValueSource(longs = {0, -5_000_000, 5_000_000})
  void the_wait_of_a_message_is_lateness_and_its_arrival_is_known_until_the_next_event(long now) {
    lateness.handedOver(now - 4 * MILLI, now);
    assertThat(lateness.arrivedNanos(now)).isEqualTo(now - 4 * MILLI);
    assertThat(lateness.mostNanos(now)).isEqualTo(4 * MILLI);
    lateness.noted(0, now + MILLI);
    assertThat(lateness.arrivedNanos(now + MILLI)).isEqualTo(now + MILLI);
  }

  @ParameterizedTest
  @ValueSource(longs = {0, 5_000_000})
  void an_agent_that_stood_still_for_a_day_says_an_hour(long now) {
    lateness.noted(86_400_000_000_000L, now);
    assertThat(lateness.mostNanos(now)).isEqualTo(PeerMessage.MAX_LATE_NANOS);
  }

  @Test
  void a_late_transport_is_lateness_and_makes_no_agent_busy() {
    lateness.ofTransport(7 * Lateness.OVERLOAD_NANOS, 0);
    assertThat(lateness.mostNanos(MILLI)).isEqualTo(7 * Lateness.OVERLOAD_NANOS);
    assertThat(lateness.isBusy(MILLI)).isFalse();
    assertThat(lateness.isOverloaded(MILLI)).isFalse();
    lateness.noted(Lateness.OVERLOAD_NANOS, 2 * MILLI);
    assertThat(lateness.isBusy(3 * MILLI)).isTrue();
    assertThat(lateness.isOverloaded(3 * MILLI)).isTrue();
  }
}
