package io.treecast.cli.query;

import picocli.CommandLine.Option;

/** The {@code --metric} flag, for commands about trees. */
public final class MetricOption {
  @Option(
      names = "--metric",
      paramLabel = "METRIC",
      defaultValue = "latency",
      description =
          "The tree: that of the least round trips, which carries broadcasts, or the "
              + "widest, which carries uploads: ${COMPLETION-CANDIDATES}; default: "
              + "${DEFAULT-VALUE}.")
  private MetricText metric = MetricText.LATENCY;

  public MetricText metric() {
    return metric;
  }
}
