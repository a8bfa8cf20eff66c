package io.treecast.monitor;

import io.treecast.monitor.forecast.Forecast;
import io.treecast.monitor.forecast.ForecasterBank;

/**
 * What is to be expected of a link: takes a measurement at every interval, and makes forecasts of
 * the measurements. One for each link, at the owner; it outlives the sessions of the link, because
 * what it learns is a property of the link.
 *
 * <p>Single-threaded. Times are nanoseconds of any clock that does not run backwards, with any
 * origin.
 */
public final class RoundTripForecast {
  private final long intervalNanos;
  private final ForecasterBank bank;
  private long dueNanos;
  private long measuredMicros;

  /**
   * A link that is measured for the first time.
   *
   * @param policy says how often it is measured
   * @param bank without samples, of this link alone
   * @param firstMicros the first measurement, at least 1
   */
  public RoundTripForecast(
      ProbePolicy policy, ForecasterBank bank, long firstMicros, long nowNanos) {
    this.intervalNanos = policy.measurementInterval().toNanos();
    this.bank = bank;
    this.dueNanos = nowNanos + intervalNanos;
    measured(firstMicros);
  }

  /**
   * A probe was answered.
   *
   * @param rttMicros the round trip now: {@link LinkProbe#rttMicros}
   * @return whether it was taken as a measurement, because one was due
   */
  public boolean sampled(long rttMicros, long nowNanos) {
    long lateNanos = nowNanos - dueNanos;
    if (lateNanos < 0) {
      return false;
    }
    dueNanos += (lateNanos / intervalNanos + 1) * intervalNanos;
    measured(rttMicros);
    return true;
  }

  private void measured(long micros) {
    measuredMicros = micros;
    bank.add((double) micros);
  }

  /** What is known by now. */
  public Expectation expectation() {
    Forecast forecast = bank.forecast();
    return new Expectation(
        measuredMicros,
        Math.max(1, Math.round(forecast.value())),
        Math.round(forecast.meanAbsoluteError()),
        forecast.forecaster(),
        forecast.confidence(),
        forecast.samples());
  }
}
