package io.treecast.agent.core.measure;

import static org.assertj.core.api.Assertions.assertThat;

import io.treecast.agent.core.link.Neighbourhood;
import io.treecast.agent.core.message.Nearby;
import io.treecast.agent.core.settings.OverlayLimits;
import io.treecast.ghs.NodeId;
import io.treecast.monitor.forecast.CommonShift;
import io.treecast.monitor.probe.ProbePolicy;
import io.treecast.monitor.probe.RoundTripForecast;
import io.treecast.monitor.weight.Expectation;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** The forecast of a link learns from other links. */
class LinkForecastsTest {
  private static final NodeId SELF = NodeId.of("a");
  private static final NodeId NEAR = NodeId.of("b");
  private static final NodeId PEER = NodeId.of("c");
  private static final long LATER_NANOS = ProbePolicy.DEFAULT.measurementInterval().toNanos();

  private final Neighbourhood neighbourhood =
      new Neighbourhood(SELF, OverlayLimits.DEFAULT, 10_000_000_000L);
  private final LinkForecasts forecasts = new LinkForecasts(ProbePolicy.DEFAULT, neighbourhood);

  @Test
  void a_first_measurement_is_believed_up_to_twice_the_detour() {
    neighbourhood.measured(NEAR, 10_000);
    neighbourhood.review(Set.of(NEAR, PEER), null, Set.of(NEAR, PEER), 0, 0);
    RoundTripForecast forecast = forecasts.begin(PEER, 200_000, 0);
    assertThat(forecast.expectation())
        .isEqualTo(new Expectation(200_000, 200_000, 0, "lower-mean-3", 0, 1));

    neighbourhood.reported(PEER, List.of(new Nearby(NEAR, 15_000)));
    assertThat(forecast.expectation())
        .isEqualTo(new Expectation(200_000, 50_000, 0, "lower-mean-3-detour", 0, 1));

    assertThat(forecast.sampled(200_000, false, LATER_NANOS)).isTrue();
    assertThat(forecast.expectation().forecastMicros()).isEqualTo(200_000);
    assertThat(forecasts.errors().ofChosen()).isEqualTo(150_000);
  }

  @Test
  void a_link_is_expected_to_slow_down_as_the_others_just_did() {
    List<RoundTripForecast> others = new ArrayList<>();
    for (int i = 0; i < CommonShift.OTHERS; i++) {
      others.add(forecasts.begin(NodeId.of("n" + i), 50_000, 0));
    }
    RoundTripForecast forecast = forecasts.begin(PEER, 80_000, 0);
    others.forEach(other -> assertThat(other.sampled(70_000, false, LATER_NANOS)).isTrue());
    assertThat(forecast.expectation().forecaster()).isEqualTo("lower-mean-3+shift");
    assertThat(forecast.expectation().forecastMicros()).isEqualTo(100_000);
  }
}
