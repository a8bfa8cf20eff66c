package io.treecast.monitor.throughput;

import io.treecast.monitor.weight.AllowedRange;
import io.treecast.monitor.weight.WeightGrid;
import java.time.Duration;

/**
 * The schedule and the cost of throughput measurements. Immutable, and checked on construction.
 *
 * @param enabled whether throughput is measured at all
 * @param interval how long a measurement of a link is valid, 1 s to 24 h; a link whose transfers
 *     have shown its throughput meanwhile needs no probe
 * @param budgetPermille the part of a link that bulk probes may take on average, in thousandths, 1
 *     to {@value #MAX_BUDGET_PERMILLE}; for all links of the agent together, since they may share a
 *     path
 * @param siteMicros agents whose links weigh at most this much, in microseconds, are of one site,
 *     and take turns; 0 to {@value WeightGrid#MAX_MICROS}
 */
public record ThroughputPolicy(
    boolean enabled, Duration interval, int budgetPermille, long siteMicros) {
  /** The shortest interval. */
  public static final Duration MIN_INTERVAL = Duration.ofSeconds(1);

  /** The longest interval. */
  public static final Duration MAX_INTERVAL = Duration.ofHours(24);

  /** The greatest budget: a tenth of the link. */
  public static final int MAX_BUDGET_PERMILLE = 100;

  // Below the limits, because its own check reads them.
  /**
   * Every five minutes, for at most a thousandth of the link. Links of a site take up to 1.5 ms,
   * and weigh up to twice as much.
   */
  public static final ThroughputPolicy DEFAULT =
      new ThroughputPolicy(true, Duration.ofMinutes(5), 1, 3_000);

  /** Throughput is not measured. */
  public static final ThroughputPolicy DISABLED =
      new ThroughputPolicy(
          false, DEFAULT.interval(), DEFAULT.budgetPermille(), DEFAULT.siteMicros());

  /**
   * Checks the components.
   *
   * @throws IllegalArgumentException naming the setting, its value and the allowed range
   */
  public ThroughputPolicy {
    AllowedRange.check("interval", interval, MIN_INTERVAL, MAX_INTERVAL);
    AllowedRange.check("budgetPermille", budgetPermille, 1, MAX_BUDGET_PERMILLE);
    AllowedRange.check("siteMicros", siteMicros, 0, WeightGrid.MAX_MICROS);
  }
}
