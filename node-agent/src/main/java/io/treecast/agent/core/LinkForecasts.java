package io.treecast.agent.core;

import io.treecast.monitor.ProbePolicy;
import io.treecast.monitor.RoundTripForecast;
import io.treecast.monitor.forecast.CommonShift;
import io.treecast.monitor.forecast.ErrorTotals;
import io.treecast.monitor.forecast.ForecasterBank;
import io.treecast.monitor.forecast.Forecasters;
import io.treecast.monitor.forecast.SharedExperience;

/**
 * Begins the forecast of each link that this agent owns, and keeps what these forecasts learn from
 * each other: which forecasters were right, and by how much the links just differed from what was
 * expected of them.
 *
 * <p>Owned by the agent's thread.
 */
final class LinkForecasts {
  private final ProbePolicy probes;
  private final SharedExperience experience = new SharedExperience();
  private final CommonShift commonShift = new CommonShift();

  LinkForecasts(ProbePolicy probes) {
    this.probes = probes;
  }

  /**
   * That of a link which is measured for the first time.
   *
   * @param firstMicros the measurement, at least 1
   */
  RoundTripForecast begin(long firstMicros, long nowNanos) {
    ForecasterBank bank = new ForecasterBank(Forecasters.standard(), experience, commonShift);
    return new RoundTripForecast(probes, bank, firstMicros, nowNanos);
  }

  /** How wrong all of them were so far. */
  ErrorTotals errors() {
    return experience.totals();
  }
}
