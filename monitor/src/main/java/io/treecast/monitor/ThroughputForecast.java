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
 * <p>What was expected of the link before it was lost counts until there is a measurement, and is
 * no sample of the forecasters: the link may be another one now.
 *
 * <p>Single-threaded. Times are nanoseconds of any clock that does not run backwards.
 */
public final class ThroughputForecast {
  /** A transfer confirms the forecast down to this part of it. */
  static final double CONFIRMED_FROM = 0.8;

  /** A link that could not be probed is probed again after this part of the interval. */
  private static final int RETRY_DIVISOR = 10;

  private final long intervalNanos;
  private final int budgetPermille;
  private final ForecasterBank bank;
  private long dueNanos;
  private @Nullable ThroughputExpectation expectation;
  private long measuredNanos;

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

  /** A probe has measured it. */
  public void probed(long kbps, long nowNanos) {
    dueNanos = nowNanos + intervalNanos;
    measuredNanos = nowNanos;
    bank.add((double) kbps);
    Forecast forecast = bank.forecast();
    expectation =
        new ThroughputExpectation(
            kbps,
            Math.max(1, Math.round(forecast.value())),
            Math.round(forecast.meanAbsoluteError()),
            forecast.forecaster(),
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
   * @return whether that was taken as a measurement
   */
  public boolean transferred(long kbps, long nowNanos) {
    ThroughputExpectation known = expectation;
    if (known == null || kbps < CONFIRMED_FROM * known.forecastKbps()) {
      return false;
    }
    probed(kbps, nowNanos);
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
