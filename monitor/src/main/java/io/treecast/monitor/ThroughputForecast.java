package io.treecast.monitor;

import io.treecast.monitor.forecast.Forecast;
import io.treecast.monitor.forecast.ForecasterBank;
import org.jspecify.annotations.Nullable;

/**
 * What is to be expected of the throughput of a link: takes measurements, makes forecasts of them,
 * and says when the next is due. One for each link, at the owner; it outlives the sessions of the
 * link.
 *
 * <p>A transfer shows that the link is at least so fast. That counts as a measurement if it is not
 * much less than what is expected of the link; if it is, either the link or a subscriber beyond it
 * has become slow, and only a probe can tell which.
 *
 * <p>A single probe may be far off, where a machine is busy or stands still for a moment. So one
 * that differs from what is expected by more than a factor of {@value #DOUBTFUL_FACTOR} is doubted:
 * nothing follows from it but another one, soon. If the two agree, both count: the link has
 * changed. If not, the one that is nearer to what was expected does. Of the first one of a link
 * nobody can tell; the second comes earlier than others.
 *
 * <p>What disturbs a measurement makes the link seem slower, while it makes a round trip longer. So
 * forecasters are given the negative: the lower half of the samples, which some go by, is the one
 * that was disturbed less.
 *
 * <p>What was expected of the link before it was lost counts until there is a measurement, and is
 * no sample of the forecasters: the link may be another one now.
 *
 * <p>Single-threaded. Times are nanoseconds of any clock that does not run backwards.
 */
public final class ThroughputForecast {
  /** A transfer confirms the forecast down to this part of it. */
  static final double CONFIRMED_FROM = 0.8;

  /** One that differs by more is doubted. */
  static final int DOUBTFUL_FACTOR = 3;

  /** A link that could not be probed, or only once, is probed again after this part of it. */
  private static final int RETRY_DIVISOR = 10;

  private final long intervalNanos;
  private final int budgetPermille;
  private final ForecasterBank bank;
  private long dueNanos;
  private @Nullable ThroughputExpectation expectation;
  private long measuredNanos;

  /** What a probe said that is doubted; 0 if there is none. */
  private long doubtedKbps;

  /**
   * A link of which nothing is known, to be measured at once.
   *
   * @param bank without samples, of this link alone
   */
  public ThroughputForecast(ThroughputPolicy policy, ForecasterBank bank, long nowNanos) {
    this.intervalNanos = policy.interval().toNanos();
    this.budgetPermille = policy.budgetPermille();
    this.bank = bank;
    this.dueNanos = nowNanos;
  }

  /** To be called before the first measurement: what was known of the link before it was lost. */
  public void remember(ThroughputExpectation known, long measuredAtNanos) {
    expectation = known.asRemembered();
    measuredNanos = measuredAtNanos;
  }

  /** When the link is to be probed. */
  public long dueNanos() {
    return dueNanos;
  }

  /**
   * A probe has measured it.
   *
   * @return what the link is believed to carry: not what the probe says, if that is doubted
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

  /** At least 1. */
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
   * A probe came to nothing.
   *
   * @param busyNanos for how long it has taken all that the link carries: a link that is too slow
   *     for the time limit is spared accordingly
   */
  public void failed(long busyNanos, long nowNanos) {
    long pauseNanos = busyNanos * 1_000 / budgetPermille;
    dueNanos = nowNanos + Math.max(intervalNanos / RETRY_DIVISOR, pauseNanos);
  }

  /**
   * Transfers have shown that it is at least so fast.
   *
   * @return whether that was taken as a measurement; then a doubt is settled
   */
  public boolean transferred(long kbps, long nowNanos) {
    ThroughputExpectation known = expectation;
    if (known == null || kbps < CONFIRMED_FROM * known.forecastKbps()) {
      return false;
    }
    measured(kbps, nowNanos);
    return true;
  }

  /** What is known by now; null before the first measurement, unless something is remembered. */
  public @Nullable ThroughputExpectation expectation() {
    return expectation;
  }

  /** When the latest measurement was, if there is an {@link #expectation}. */
  public long measuredNanos() {
    return measuredNanos;
  }
}
