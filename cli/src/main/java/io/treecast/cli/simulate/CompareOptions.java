package io.treecast.cli.simulate;

import io.treecast.cli.cluster.Places;
import io.treecast.cli.console.CommandFailure;
import io.treecast.testkit.compare.Algorithm;
import io.treecast.testkit.compare.Comparison;
import io.treecast.testkit.compare.Cost;
import io.treecast.testkit.network.ReferenceNetwork;
import io.treecast.testkit.network.Topology;
import io.treecast.testkit.network.Topology.Link;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The options for comparisons of Treecast with other algorithms. */
final class CompareOptions {
  private static final double MAX_SEND_MILLIS = 60_000;

  @Option(
      names = "--compare",
      paramLabel = "NAME",
      split = ",",
      description =
          "Compares other algorithms on the same network and events: binomial, "
              + "two-level, static-mst, ghs-1983, link-state, separated by commas.")
  private @Nullable List<String> names;

  @Option(
      names = "--send-millis",
      paramLabel = "MILLIS",
      description =
          "With --compare: the time for which a blocking send occupies its sender; "
              + "default: 0.")
  private @Nullable Double sendMillis;

  @Option(
      names = "--source",
      paramLabel = "NODE",
      description =
          "With --compare: the node that broadcasts. Default: 12 of the reference "
              + "network, else the first.")
  private @Nullable String source;

  boolean isAsked() {
    return names != null;
  }

  /** Checks the options before the run. */
  void check() {
    if (names == null && (sendMillis != null || source != null)) {
      throw CommandFailure.usage("--send-millis and --source need a comparison: add --compare");
    }
    Double millis = sendMillis;
    if (millis != null && !(millis >= 0 && millis <= MAX_SEND_MILLIS)) {
      throw CommandFailure.usage(
          "--send-millis: " + millis + " is not allowed; allowed is 0 to " + MAX_SEND_MILLIS);
    }
    algorithms();
  }

  private List<Algorithm> algorithms() {
    List<String> asked = names == null ? List.of() : names;
    return CommandFailure.checked(
        "--compare", () -> asked.stream().map(name -> Algorithm.of(name.strip())).toList());
  }

  /** Returns the number of the source. */
  int source(Places places, boolean isReference) {
    String name = source;
    int nodes = places.topology().nodes();
    if (name == null) {
      return isReference && nodes > ReferenceNetwork.SOURCE ? ReferenceNetwork.SOURCE : 0;
    }
    int number = places.network().names().indexOf(name);
    if (number < 0) {
      throw CommandFailure.usage("--source: the network has no node '" + name + "'");
    }
    return number;
  }

  /**
   * Compares Treecast with the chosen algorithms.
   *
   * @param networks the network at the start, and after each change
   * @param broadcasts the number of broadcasts in immediate succession
   * @param build Treecast's cost of the first tree
   * @param changes Treecast's cost of the changes
   * @param before the edges of its tree before the changes
   * @param after the edges of its tree after the changes
   */
  CompareReport compare(
      Places places,
      List<Topology> networks,
      int from,
      int broadcasts,
      Cost build,
      Cost changes,
      Collection<Link> before,
      Collection<Link> after) {
    double millis = sendMillis == null ? 0 : sendMillis;
    Comparison comparison =
        new Comparison(networks, places.sites(), from, broadcasts, Math.round(millis * 1e6));
    List<Comparison.Row> rows = new ArrayList<>();
    rows.add(comparison.row("treecast", build, changes, before, after));
    algorithms().forEach(algorithm -> rows.add(comparison.row(algorithm)));
    return new CompareReport(places.name(from), millis, broadcasts, rows);
  }
}
