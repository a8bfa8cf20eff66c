package io.treecast.cli.cluster;

import io.treecast.cli.console.CommandFailure;
import io.treecast.testkit.schedule.Thresholds;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The options for thresholds of significant changes, for the commands that start a cluster. */
public final class ThresholdOptions {
  @Option(
      names = "--" + Thresholds.THRESHOLD,
      paramLabel = "PERCENT",
      description =
          "Relative change of a link's weight that is significant, as "
              + "significance.thresholdPercent of an agent's configuration.")
  private @Nullable String threshold;

  @Option(
      names = "--" + Thresholds.FLOOR,
      paramLabel = "MILLIS",
      description = "Least significant change, as significance.floorMicros, but in milliseconds.")
  private @Nullable String floor;

  @Option(
      names = "--" + Thresholds.ERROR,
      paramLabel = "PERCENT",
      description =
          "Part of the mean error of the link's forecasts that a change must exceed, "
              + "as significance.errorPercent of an agent's configuration.")
  private @Nullable String error;

  @Option(
      names = "--" + Thresholds.CHANGE_COST,
      paramLabel = "PERCENT",
      description =
          "Saving that justifies a change of the tree, as "
              + "significance.changeCostPercent of an agent's configuration.")
  private @Nullable String changeCost;

  /**
   * Checks the options, before agents start.
   *
   * @throws CommandFailure if one is not allowed
   */
  public void check() {
    var unusedAsItIsOnlyChecked = thresholds();
  }

  /** Returns the thresholds that the flags set; all others keep their values. */
  public Thresholds thresholds() {
    return one(Thresholds.THRESHOLD, threshold, ThresholdOptions::threshold)
        .orElse(one(Thresholds.FLOOR, floor, ThresholdOptions::floor))
        .orElse(one(Thresholds.ERROR, error, ThresholdOptions::error))
        .orElse(one(Thresholds.CHANGE_COST, changeCost, ThresholdOptions::changeCost));
  }

  private static Thresholds threshold(String text) {
    return new Thresholds(Thresholds.percent(text), null, null, null);
  }

  private static Thresholds floor(String text) {
    return new Thresholds(null, Thresholds.millis(text), null, null);
  }

  private static Thresholds error(String text) {
    return new Thresholds(null, null, Thresholds.percent(text), null);
  }

  private static Thresholds changeCost(String text) {
    return new Thresholds(null, null, null, Thresholds.percent(text));
  }

  private static Thresholds one(
      String name, @Nullable String text, Function<String, Thresholds> read) {
    if (text == null) {
      return Thresholds.NONE;
    }
    try {
      return read.apply(text);
    } catch (IllegalArgumentException e) {
      String reason = String.valueOf(e.getMessage());
      throw CommandFailure.usage("--" + (reason.startsWith(name) ? "" : name + ": ") + reason);
    }
  }
}
