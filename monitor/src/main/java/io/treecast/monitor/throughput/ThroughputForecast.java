package io.treecast.monitor.throughput;

import io.treecast.monitor.forecast.Forecast;
import io.treecast.monitor.forecast.ForecasterBank;
import org.jspecify.annotations.Nullable;

/**
 * The expected throughput of a link: takes measurements, makes forecasts from them, and decides
 * when the next is due. One instance for each link, at the owner; it outlives the sessions of the
 * link.
 *
 * <p>A transfer shows a lower bound of the link's throughput. It counts as a measurement if it is
 * not much below the expected value; otherwise, either the link or a subscriber beyond it has
 * become slow, and only a probe can tell which.
 *
 * <p>A single probe may be far off, where a machine is busy or stops for a moment. So a probe that
 * differs from the expected value by more than a factor of {@value #DOUBTFUL_FACTOR} is doubted: it
 * only causes another probe, soon. If the two agree, both count, because the link has changed.
 * Otherwise the one nearer to the expected value counts. The first probe of a link cannot be
 * judged; the second one is due earlier than others.
 *
 * <p>Disturbances lower a measured throughput, but raise a measured round trip. So the forecasters
 * get the negative throughput: then the lower half of the samples, which some of them use, is the
 * less disturbed one for both.
 *
 * <p>The expectation from before the link was lost counts until the first new measurement. It is
 * not a sample for the forecasters, because the link may have changed completely.
 *
 * <p>Single-threaded. Times are nanoseconds of any clock that does not run backwards.
 */
public final class ThroughputForecast {
  /** A transfer confirms the forecast down to this part of it. */
  static final double CONFIRMED_FROM = 0.8;

  /** A probe that differs by a larger factor is doubted. */
  static final int DOUBTFUL_FACTOR = 3;

  /**
   * The part of the interval after which a link that could not be probed, or only once, is probed
   * again.
   */
  private static final int RETRY_DIVISOR = 10;

  private final long intervalNanos;
  private final int budgetPermille;
  private final ForecasterBank bank;
  private long dueNanos;
  private @Nullable ThroughputExpectation expectation;
  private long measuredNanos;

  /** The result of a probe that is doubted; 0 if there is none. */
  private long doubtedKbps;

  /**
   * Creates the forecast of an unknown link, which must be measured at once.
   *
   * @param bank without samples, of this link alone
   */
  public ThroughputForecast(ThroughputPolicy policy, ForecasterBank bank, long nowNanos) {
    this.intervalNanos = policy.interval().toNanos();
    this.budgetPermille = policy.budgetPermille();
    this.bank = bank;
    this.dueNanos = nowNanos;
  }

  /**
   * Sets the expectation from before the link was lost; must be called before the first
   * measurement.
   */
  public void remember(ThroughputExpectation known, long measuredAtNanos) {
    expectation = known.asRemembered();
    measuredNanos = measuredAtNanos;
  }

  /** Returns when the link must be probed. */
  public long dueNanos() {
    return dueNanos;
  }

  /**
   * Takes in the result of a probe.
   *
   * @return the believed throughput of the link, which is not the result if that is doubted
   */
  public long probed(long kbps, long nowNanos) {
    ThroughputExpectation known = expectation;
    long expectedKbps = known == null ? kbps : known.forecastKbps();
    boolean isOff = areApart(kbps, expectedKbps);
    if (isOff && doubtedKbps == 0) {
      doubtedKbps = kbps;
      dueNanos = nowNanos;
      return expectedKbps;
    }
    boolean isFirst = known == null || known.remembered();
    long believedKbps = kbps;
    if (isOff && !areApart(kbps, doubtedKbps)) {
      bank.add((double) -doubtedKbps);
    } else if (isOff && ratio(doubtedKbps, expectedKbps) < ratio(kbps, expectedKbps)) {
      believedKbps = doubtedKbps;
    }
    measured(believedKbps, nowNanos);
    if (isFirst) {
      dueNanos = nowNanos + intervalNanos / RETRY_DIVISOR;
    }
    return believedKbps;
  }

  private static boolean areApart(long oneKbps, long otherKbps) {
    return ratio(oneKbps, otherKbps) > DOUBTFUL_FACTOR;
  }

  /** The ratio of the larger value to the smaller one. */
  private static double ratio(long oneKbps, long otherKbps) {
    return (double) Math.max(oneKbps, otherKbps) / Math.min(oneKbps, otherKbps);
  }

  private void measured(long kbps, long nowNanos) {
    doubtedKbps = 0;
    dueNanos = nowNanos + intervalNanos;
    measuredNanos = nowNanos;
    bank.add((double) -kbps);
    Forecast forecast = bank.forecast();
    expectation =
        new ThroughputExpectation(
            kbps,
            Math.max(1, Math.round(-forecast.value())),
            Math.round(forecast.meanAbsoluteError()),
            forecast.forecaster().replace("lower-", "upper-"),
            forecast.samples(),
            false);
  }

  /**
   * Takes in a probe without result.
   *
   * @param busyNanos how long the probe has used the whole link; the pause before the next one
   *     grows with it, to spare a link that is too slow for the time limit
   */
  public void failed(long busyNanos, long nowNanos) {
    long pauseNanos = busyNanos * 1_000 / budgetPermille;
    dueNanos = nowNanos + Math.max(intervalNanos / RETRY_DIVISOR, pauseNanos);
  }

  /**
   * Takes in the lower bound of the throughput that transfers have shown.
   *
   * @return whether it was taken as a measurement; then a doubt is settled
   */
  public boolean transferred(long kbps, long nowNanos) {
    ThroughputExpectation known = expectation;
    if (known == null || kbps < CONFIRMED_FROM * known.forecastKbps()) {
      return false;
    }
    measured(kbps, nowNanos);
    return true;
  }

  /**
   * Returns the present expectation; null before the first measurement, unless one is remembered.
   */
  public @Nullable ThroughputExpectation expectation() {
    return expectation;
  }

  /** Returns the time of the latest measurement, if there is an {@link #expectation}. */
  public long measuredNanos() {
    return measuredNanos;
  }
}
