package io.treecast.agent.core.measure;

import io.treecast.agent.core.link.Neighbourhood;
import io.treecast.ghs.NodeId;
import io.treecast.monitor.forecast.CommonShift;
import io.treecast.monitor.forecast.ErrorTotals;
import io.treecast.monitor.forecast.Forecaster;
import io.treecast.monitor.forecast.ForecasterBank;
import io.treecast.monitor.forecast.Forecasters;
import io.treecast.monitor.forecast.SharedExperience;
import io.treecast.monitor.probe.ProbePolicy;
import io.treecast.monitor.probe.RoundTripForecast;
import java.util.List;

/**
 * Creates the forecast of each link that this agent owns, and keeps the state that these forecasts
 * share: the accuracy of each forecaster, and the recent common deviation of links from their
 * forecasts.
 */
final class LinkForecasts {
  private final ProbePolicy probes;
  private final Neighbourhood neighbourhood;
  private final SharedExperience experience =
      new SharedExperience(Forecasters.namesOfRoundTrips().size());
  private final CommonShift commonShift = new CommonShift();

  LinkForecasts(ProbePolicy probes, Neighbourhood neighbourhood) {
    this.probes = probes;
    this.neighbourhood = neighbourhood;
  }

  /**
   * Returns the forecast of a link that is measured for the first time.
   *
   * @param peer its other end
   * @param firstMicros the measured round trip, at least 1
   */
  RoundTripForecast begin(NodeId peer, long firstMicros, long nowNanos) {
    List<Forecaster> forecasters = Forecasters.ofRoundTrips(() -> detourMicros(peer));
    ForecasterBank bank = new ForecasterBank(forecasters, experience, commonShift);
    return new RoundTripForecast(probes, bank, firstMicros, nowNanos);
  }

  private double detourMicros(NodeId peer) {
    long micros = neighbourhood.detourMicros(peer);
    return micros == Neighbourhood.UNKNOWN ? Double.POSITIVE_INFINITY : micros;
  }

  /** Returns the errors of all forecasts so far. */
  ErrorTotals errors() {
    return experience.totals();
  }
}
