package io.treecast.testkit.schedule;

import io.treecast.monitor.weight.SignificancePolicy;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Thresholds above which the agents of a run treat a change of a round trip as a change of the
 * weight. A null keeps the value of the policy. Immutable, checked at construction.
 *
 * @param percent the least change, in percent of the link's former weight
 * @param floorMillis the least change in any case
 * @param errorPercent the least change, in percent of the mean error of the link's forecasts
 * @param changeCostPercent the least saving of a change of the tree, in percent of the lighter
 *     weight
 */
public record Thresholds(
    @Nullable BigDecimal percent,
    @Nullable BigDecimal floorMillis,
    @Nullable BigDecimal errorPercent,
    @Nullable BigDecimal changeCostPercent) {

  /** Thresholds that keep a policy unchanged. */
  public static final Thresholds NONE = new Thresholds(null, null, null, null);

  /** The least floor on real agents, whose round trips vary without a change of the link. */
  private static final BigDecimal REAL_TIME_FLOOR_MILLIS = BigDecimal.ONE;

  private static final BigDecimal REAL_TIME_ERROR_PERCENT = BigDecimal.valueOf(50);

  /** The threshold's name in schedules and, with two hyphens, on command lines. */
  public static final String THRESHOLD = "threshold";

  /** The floor's name. */
  public static final String FLOOR = "floor";

  /** The name of the threshold relative to the error of forecasts. */
  public static final String ERROR = "error";

  /** The name of the cost of a change. */
  public static final String CHANGE_COST = "change-cost";

  private static final Pattern DECIMAL = Pattern.compile("(-?\\d{1,9}(?:\\.\\d{1,3})?)(%?)");

  /**
   * Checks the components.
   *
   * @throws IllegalArgumentException with the value that is not allowed and the range
   */
  public Thresholds {
    apply(percent, floorMillis, errorPercent, changeCostPercent, SignificancePolicy.DEFAULT);
  }

  /**
   * Parses a number with or without a percent sign.
   *
   * @throws IllegalArgumentException if the text is something else
   */
  public static BigDecimal percent(String text) {
    Matcher decimal = DECIMAL.matcher(text);
    if (!decimal.matches()) {
      throw new IllegalArgumentException(
          "'" + text + "' is not a percentage; allowed is a number such as 10%");
    }
    return new BigDecimal(decimal.group(1));
  }

  /**
   * Parses a number of milliseconds.
   *
   * @throws IllegalArgumentException if the text is something else
   */
  public static BigDecimal millis(String text) {
    Matcher decimal = DECIMAL.matcher(text);
    if (!decimal.matches() || !decimal.group(2).isEmpty()) {
      throw new IllegalArgumentException(
          "'" + text + "' is not a number of milliseconds; allowed is a number such as 0.5");
    }
    return new BigDecimal(decimal.group(1));
  }

  /** Returns these thresholds, completed by others where they are null. */
  public Thresholds orElse(Thresholds others) {
    return new Thresholds(
        percent == null ? others.percent : percent,
        floorMillis == null ? others.floorMillis : floorMillis,
        errorPercent == null ? others.errorPercent : errorPercent,
        changeCostPercent == null ? others.changeCostPercent : changeCostPercent);
  }

  /**
   * Returns these thresholds with a floor of at least 1 ms and at least 50 percent of the error of
   * forecasts.
   */
  public Thresholds forRealTime() {
    return new Thresholds(
        percent,
        floorMillis == null ? null : floorMillis.max(REAL_TIME_FLOOR_MILLIS),
        errorPercent == null ? null : errorPercent.max(REAL_TIME_ERROR_PERCENT),
        changeCostPercent);
  }

  /** Returns the policy with these thresholds. */
  public SignificancePolicy applyTo(SignificancePolicy policy) {
    return apply(percent, floorMillis, errorPercent, changeCostPercent, policy);
  }

  private static SignificancePolicy apply(
      @Nullable BigDecimal percent,
      @Nullable BigDecimal floorMillis,
      @Nullable BigDecimal errorPercent,
      @Nullable BigDecimal changeCostPercent,
      SignificancePolicy policy) {
    return new SignificancePolicy(
        percent == null
            ? policy.relativeThreshold()
            : within(THRESHOLD, percent, SignificancePolicy.MAX_RELATIVE_THRESHOLD * 100, "%")
                / 100,
        floorMillis == null
            ? policy.floorMicros()
            : Math.round(within(FLOOR, floorMillis, MAX_FLOOR_MILLIS, " ms") * 1_000),
        errorPercent == null
            ? policy.errorFactor()
            : within(ERROR, errorPercent, SignificancePolicy.MAX_FACTOR * 100, "%") / 100,
        changeCostPercent == null
            ? policy.changeCost()
            : within(CHANGE_COST, changeCostPercent, SignificancePolicy.MAX_FACTOR * 100, "%")
                / 100,
        policy.grid(),
        policy.damping());
  }

  /** Highest floor, one minute; no link of a tree is that slow. */
  private static final double MAX_FLOOR_MILLIS = 60_000;

  private static double within(String name, BigDecimal value, double most, String unit) {
    if (value.doubleValue() > most || value.signum() < 0) {
      throw new IllegalArgumentException(
          "%s: %s is not allowed; allowed is 0 to %s%s"
              .formatted(name, value.toPlainString(), Math.round(most), unit));
    }
    return value.doubleValue();
  }

  /** Returns the thresholds as lines of a schedule, without their first word. */
  List<String> lines() {
    List<String> lines = new ArrayList<>();
    if (percent != null) {
      lines.add(THRESHOLD + " " + percent.toPlainString() + "%");
    }
    if (floorMillis != null) {
      lines.add(FLOOR + " " + floorMillis.toPlainString());
    }
    if (errorPercent != null) {
      lines.add(ERROR + " " + errorPercent.toPlainString() + "%");
    }
    if (changeCostPercent != null) {
      lines.add(CHANGE_COST + " " + changeCostPercent.toPlainString() + "%");
    }
    return lines;
  }
}
