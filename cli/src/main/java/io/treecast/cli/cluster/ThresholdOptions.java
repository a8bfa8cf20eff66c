package io.treecast.cli.cluster;

import io.treecast.cli.console.CommandFailure;
import io.treecast.testkit.schedule.Thresholds;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Which changes of round trips count, for the commands that make a cluster. */
public final class ThresholdOptions {
  @Option(
      names = "--" + Thresholds.THRESHOLD,
      paramLabel = "PERCENT",
      description =
          "The part of its former weight that a change of a link must exceed to count, as"
              + " significance.thresholdPercent of an agent's configuration.")
  private @Nullable String threshold;

  @Option(
      names = "--" + Thresholds.FLOOR,
      paramLabel = "MILLIS",
      description =
          "What such a change must exceed in any case, as significance.floorMicros, but in milliseconds.")
  private @Nullable String floor;

  @Option(
      names = "--" + Thresholds.ERROR,
      paramLabel = "PERCENT",
      description =
          "The part of the mean error of the link's forecasts that it must exceed, as"
              + " significance.errorPercent of an agent's configuration.")
  private @Nullable String error;

  @Option(
      names = "--" + Thresholds.CHANGE_COST,
      paramLabel = "PERCENT",
      description =
          "What a change of the tree must save, as significance.changeCostPercent of an agent's configuration.")
  private @Nullable String changeCost;

  /** What is asked for; what is not stays as it is. */
  public Thresholds thresholds() {
    return one(threshold, text -> new Thresholds(Thresholds.percent(text), null, null, null))
        .orElse(one(floor, text -> new Thresholds(null, Thresholds.millis(text), null, null)))
        .orElse(one(error, text -> new Thresholds(null, null, Thresholds.percent(text), null)))
        .orElse(one(changeCost, text -> new Thresholds(null, null, null, Thresholds.percent(text))));
  }

  private static Thresholds one(@Nullable String text, Function<String, Thresholds> read) {
    if (text == null) {
      return Thresholds.NONE;
    }
    try {
      return read.apply(text);
    } catch (IllegalArgumentException e) {
      throw CommandFailure.usage("--" + e.getMessage());
    }
  }
}
