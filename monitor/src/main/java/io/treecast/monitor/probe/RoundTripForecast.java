package io.treecast.monitor.probe;

import io.treecast.monitor.forecast.Forecast;
import io.treecast.monitor.forecast.ForecasterBank;
import io.treecast.monitor.throughput.OwnTraffic;
import io.treecast.monitor.weight.Expectation;
import io.treecast.monitor.weight.SignificancePolicy;

/**
 * The expected round trip of a link: takes a measurement at every interval, and makes forecasts
 * from the measurements. One instance for each link, at the owner; it outlives the sessions of the
 * link, because it learns properties of the link.
 *
 * <p>It therefore ignores measurements that the agents' own traffic explains ({@link OwnTraffic}),
 * for at most {@link #LONGEST_EXPLAINED_NANOS} in a row. If the link becomes slower meanwhile, the
 * forecast shows this when the traffic ends, or after that time.
 *
 * <p>Single-threaded. Times are nanoseconds of any clock that does not run backwards, with any
 * origin.
 */
public final class RoundTripForecast {
  /** The longest time for which consecutive explained measurements are ignored. */
  public static final long LONGEST_EXPLAINED_NANOS = 300_000_000_000L;

  private final long intervalNanos;
  private final ForecasterBank bank;
  private long dueNanos;
  private long measuredMicros;
  private boolean explained;
  private long explainedSinceNanos;

  /**
   * Creates the forecast of a link that is measured for the first time.
   *
   * @param policy defines the measurement interval
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
   * Takes in the answer to a probe.
   *
   * @param rttMicros the present round trip: {@link LinkProbe#rttMicros}
   * @param isExplained whether it is ignored: {@link #isExplained}
   * @return whether a measurement was due; it was taken unless it is ignored
   */
  public boolean sampled(long rttMicros, boolean isExplained, long nowNanos) {
    long lateNanos = nowNanos - dueNanos;
    if (lateNanos < 0) {
      return false;
    }
    dueNanos += (lateNanos / intervalNanos + 1) * intervalNanos;
    if (!isExplained) {
      measured(rttMicros);
    }
    return true;
  }

  /**
   * Returns the difference between a round trip and the forecast, if it is significant.
   *
   * @return microseconds, negative for a shorter one; 0 if it is as forecast
   */
  public long deviationMicros(long rttMicros, SignificancePolicy policy) {
    Expectation expected = expectation();
    long differenceMicros = rttMicros - expected.forecastMicros();
    return Math.abs(differenceMicros)
            > policy.leastChangeMicros(expected.forecastMicros(), expected.errorMicros())
        ? differenceMicros
        : 0;
  }

  /**
   * Returns whether a round trip exceeds the forecast because of the agents' own traffic, and has
   * not done so for too long. Must be called for each sample. The smallest excess counts as well,
   * because the forecast would follow many samples that are slightly longer.
   *
   * @param rttMicros the present round trip: {@link LinkProbe#rttMicros}
   * @param mostDelayMicros the delay that the traffic explains: {@link OwnTraffic#mostDelayMicros}
   */
  public boolean isExplained(long rttMicros, long mostDelayMicros, long nowNanos) {
    boolean wasExplained = explained;
    long longerMicros = mostDelayMicros == 0 ? 0 : rttMicros - expectation().forecastMicros();
    explained = longerMicros > 0 && longerMicros <= mostDelayMicros;
    if (!wasExplained) {
      explainedSinceNanos = nowNanos;
    }
    return explained && nowNanos - explainedSinceNanos < LONGEST_EXPLAINED_NANOS;
  }

  private void measured(long micros) {
    measuredMicros = micros;
    bank.add((double) micros);
  }

  /** Returns the present expectation. */
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
