package io.treecast.monitor;

import io.treecast.monitor.forecast.Forecast;
import io.treecast.monitor.forecast.ForecasterBank;

/**
 * What is to be expected of a link: takes a measurement at every interval, and makes forecasts of
 * the measurements. One for each link, at the owner; it outlives the sessions of the link, because
 * what it learns is a property of the link.
 *
 * <p>So it takes no measurement that what agents send over the link explains ({@link OwnTraffic}),
 * for {@link #LONGEST_EXPLAINED_NANOS} at a stretch: a link that has become slower meanwhile shows
 * at its end, or then.
 *
 * <p>Single-threaded. Times are nanoseconds of any clock that does not run backwards, with any
 * origin.
 */
public final class RoundTripForecast {
  /** For how long explained measurements say nothing, unless one comes in between that is not. */
  public static final long LONGEST_EXPLAINED_NANOS = 300_000_000_000L;

  private final long intervalNanos;
  private final ForecasterBank bank;
  private long dueNanos;
  private long measuredMicros;
  private boolean explained;
  private long explainedSinceNanos;

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
   * @param isExplained whether it says nothing: {@link #isExplained}
   * @return whether a measurement was due, and it was taken as one unless it says nothing
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
   * By how much a round trip differs from the forecast, if that is significant.
   *
   * @return microseconds, negative for a shorter one; 0 if it is as forecast
   */
  public long newsMicros(long rttMicros, SignificancePolicy policy) {
    Expectation expected = expectation();
    long differenceMicros = rttMicros - expected.forecastMicros();
    return Math.abs(differenceMicros)
            > policy.leastChangeMicros(expected.forecastMicros(), expected.errorMicros())
        ? differenceMicros
        : 0;
  }

  /**
   * Whether a round trip is longer than forecast on account of what agents send, and has not been
   * for too long; to be asked of each sample. By however little it is longer: of many that are
   * longer by a little the forecast would follow.
   *
   * @param rttMicros the round trip now: {@link LinkProbe#rttMicros}
   * @param mostDelayMicros what agents send explains so much: {@link OwnTraffic#mostDelayMicros}
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
