package io.treecast.cli;

import io.treecast.agent.core.AgentSnapshot;
import io.treecast.collectives.MessageId;
import io.treecast.testkit.network.BroadcastTimes;
import io.treecast.testkit.network.RandomGraphs;
import io.treecast.testkit.network.Topology;
import io.treecast.testkit.sim.SimCluster;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code treecast simulate}. */
@Command(
    name = "simulate",
    description = {
      "Runs the agents of a whole cluster in virtual time: they measure, build the tree, and each node broadcasts once.",
      "The same network and seed give the same output, to the last byte."
    },
    mixinStandardHelpOptions = true,
    footer = {
      "",
      "Examples:",
      "  treecast simulate --seed 7 --output json",
      "  treecast simulate --matrix rtts.csv --site-size 8",
      "  treecast simulate --random 1000,16"
    })
final class SimulateCommand implements Callable<Integer> {
  private static final byte[] PAYLOAD = new byte[24];

  /** A day; far beyond anything that ends. */
  private static final long MAX_VIRTUAL_MILLIS = 86_400_000;

  @Mixin private NetworkOptions network = new NetworkOptions();
  @Mixin private OutputOption output = new OutputOption();

  @Option(
      names = "--random",
      paramLabel = "NODES,DEGREE",
      description =
          "A random connected network of that many nodes, with that many links a node on average.")
  private @Nullable String random;

  @Override
  public Integer call() {
    Topology topology = topology();
    SimCluster cluster = new SimCluster(topology, network.seed());
    if (!cluster.runUntilReady(MAX_VIRTUAL_MILLIS)) {
      throw CommandFailure.failed(firstNotReady(cluster));
    }
    ClusterReport built = ClusterReport.of(topology, cluster.snapshots());
    ClusterReport report = built.withSources(broadcasts(cluster, built));
    if (output.isJson()) {
      output.println(report.toJson());
    } else {
      new ReportText(report, network.siteSize()).print(output.out(), "virtual");
    }
    return report.minimal() ? ExitCode.OK : ExitCode.FAILED;
  }

  private Topology topology() {
    String spec = random;
    if (spec == null) {
      return network.topology();
    }
    if (network.hasMatrix()) {
      throw CommandFailure.usage("--random and --matrix exclude each other");
    }
    String[] parts = spec.split(",", -1);
    try {
      if (parts.length != 2) {
        throw new IllegalArgumentException("expected NODES,DEGREE");
      }
      return network.cut(
          RandomGraphs.sparse(
              Integer.parseInt(parts[0].strip()),
              Integer.parseInt(parts[1].strip()),
              network.seed()));
    } catch (IllegalArgumentException e) {
      throw CommandFailure.usage(
          "--random: '"
              + spec
              + "' is not allowed; allowed is NODES,DEGREE as in 1000,16 ("
              + e.getMessage()
              + ")");
    }
  }

  private static String firstNotReady(SimCluster cluster) {
    for (AgentSnapshot agent : cluster.snapshots()) {
      if (!agent.tree().ready()) {
        return "agent " + agent.self().id() + " never became ready: " + agent.tree().reason();
      }
    }
    return "the cluster never became ready";
  }

  /** All sources at once: nothing in the simulated network makes one broadcast wait for another. */
  private List<ClusterReport.SourceReport> broadcasts(SimCluster cluster, ClusterReport built) {
    Topology topology = cluster.topology();
    List<MessageId> messages = new ArrayList<>();
    long expected = 0;
    for (int source = 0; source < topology.nodes(); source++) {
      messages.add(cluster.broadcast(source, ByteBuffer.wrap(PAYLOAD)));
      expected += topology.component(source).size();
    }
    long deliveries = expected;
    if (!cluster.runUntil(
        () -> cluster.deliveries().totalCount() >= deliveries, MAX_VIRTUAL_MILLIS)) {
      throw CommandFailure.failed(
          cluster.deliveries().totalCount()
              + " of "
              + deliveries
              + " deliveries took place; broadcasts were lost");
    }
    BroadcastTimes times = new BroadcastTimes(topology);
    List<ClusterReport.SourceReport> reports = new ArrayList<>();
    for (int source = 0; source < topology.nodes(); source++) {
      double lastMillis = cluster.deliveries().lastNanos(messages.get(source)) / 1e6;
      reports.add(built.source(source, lastMillis, times, network.siteSize()));
    }
    return reports;
  }
}
