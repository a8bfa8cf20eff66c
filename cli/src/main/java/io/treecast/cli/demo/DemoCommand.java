package io.treecast.cli.demo;

import io.treecast.agent.config.ConfigException;
import io.treecast.agent.core.AgentSnapshot;
import io.treecast.cli.cluster.ClusterReport;
import io.treecast.cli.cluster.NetworkOptions;
import io.treecast.cli.cluster.Places;
import io.treecast.cli.cluster.ThresholdOptions;
import io.treecast.cli.console.CommandFailure;
import io.treecast.cli.console.ExitCode;
import io.treecast.cli.console.OutputOption;
import io.treecast.monitor.weight.SignificancePolicy;
import io.treecast.testkit.local.LocalCluster;
import io.treecast.testkit.network.BroadcastShape;
import io.treecast.testkit.network.BroadcastTimes;
import io.treecast.testkit.network.MatrixFile.NamedNetwork;
import io.treecast.testkit.network.NodeSites;
import io.treecast.testkit.network.ReferenceNetwork;
import io.treecast.testkit.network.Topology;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code treecast demo}. */
@Command(
    name = "demo",
    description = {
      "Starts a cluster of real agents in this process, with the latencies of the "
          + "reference network, and with less bandwidth between more distant sites. The "
          + "agents measure their links, agree on the minimum spanning tree, and "
          + "broadcast along it. Runs until Ctrl-C."
    },
    mixinStandardHelpOptions = true,
    footer = {
      "",
      "Examples:",
      "  treecast demo",
      "  treecast demo --exit --output json",
      "  treecast demo --matrix rtts.csv --source 3 --broadcasts 10 --payload-bytes 65536"
    })
public final class DemoCommand implements Callable<Integer> {
  /** Suffix of messages about an agent's --listen and --admin. */
  private static final String FLAGS = " (here: --port, --admin-port)";

  private static final int DEFAULT_PORT = 7700;
  private static final int DEFAULT_ADMIN_PORT = 9400;
  private static final int MAX_PAYLOAD_BYTES = 4 << 20;

  private static final int MAX_PORT = 65_535;

  /**
   * Limit by the threads and connections of one process; {@code simulate} takes larger networks.
   */
  private static final int MAX_NODES = 64;

  @Mixin private NetworkOptions network = new NetworkOptions();
  @Mixin private ThresholdOptions thresholds = new ThresholdOptions();
  @Mixin private OutputOption output = new OutputOption();

  @Option(
      names = "--source",
      paramLabel = "NODE",
      description =
          "The node that broadcasts. Default: 12 of the reference network, else 0; "
              + "with --output json, each in turn.")
  private @Nullable Integer source;

  @Option(
      names = "--broadcasts",
      paramLabel = "N",
      defaultValue = "3",
      description =
          "Number of broadcasts of the source, after an uncounted warm-up; default: "
              + "${DEFAULT-VALUE}.")
  private int broadcasts = 3;

  @Option(
      names = "--all-sources",
      description =
          "Afterwards each node broadcasts, in three rounds over all nodes; reports " + "medians.")
  private boolean allSources;

  @Option(
      names = "--payload-bytes",
      paramLabel = "N",
      defaultValue = "1024",
      description = "Size of a broadcast; default: ${DEFAULT-VALUE}.")
  private int payloadBytes = 1024;

  @Option(
      names = "--port",
      paramLabel = "PORT",
      description =
          "Node n listens on this port plus n; 0 takes any free ports. Default: "
              + DEFAULT_PORT
              + ", or free ports if one of those is taken.")
  private @Nullable Integer port;

  @Option(
      names = "--admin-port",
      paramLabel = "PORT",
      description =
          "Port of the live page, metrics and health; 0 takes any free port. Default: "
              + DEFAULT_ADMIN_PORT
              + ", or a free port if that is taken.")
  private @Nullable Integer adminPort;

  @Option(names = "--exit", description = "End after the broadcasts instead of staying up.")
  private boolean exit;

  @Override
  public Integer call() throws InterruptedException {
    NamedNetwork whole = network.network();
    Topology topology = checked(whole.topology());
    Places places = new Places(whole, network.sites(whole));
    int from = checkedSource(topology);
    thresholds.check();
    DemoProgress progress =
        new DemoProgress(topology, output.isJson() ? output.err() : output.out());
    progress.starting(network.description());
    try (LocalCluster cluster = start(places, from, progress)) {
      Runnable close = cluster::close;
      Thread leaveOnSignal =
          new Thread(
              () -> {
                progress.ending();
                close.run();
              },
              "treecast-demo-leave");
      Runtime.getRuntime().addShutdownHook(leaveOnSignal);
      narrowLinksBetweenSites(cluster, places.sites());
      progress.agentsUp(cluster);
      progress.awaitTree(cluster);
      List<AgentSnapshot> agents = progress.awaitRest(cluster);
      ClusterReport built = ClusterReport.of(places, agents);
      progress.treeBuilt(built);
      ClusterReport report = built.withSources(broadcastAll(cluster, built, from, progress));
      if (output.isJson()) {
        output.println(report.toJson());
      } else {
        progress.summary(report, cluster, from, !exit);
      }
      if (!exit) {
        new CountDownLatch(1).await();
      }
      Runtime.getRuntime().removeShutdownHook(leaveOnSignal);
      return report.minimal() ? ExitCode.OK : ExitCode.FAILED;
    }
  }

  private Topology checked(Topology topology) {
    if (topology.nodes() > MAX_NODES) {
      throw CommandFailure.usage(
          ("the demo runs up to %s agents in one process, and the network has %s; take the "
                  + "first of them with --nodes, or run 'treecast simulate'")
              .formatted(MAX_NODES, topology.nodes()));
    }
    if (topology.component(0).size() < topology.nodes()) {
      throw CommandFailure.usage(
          "the demo needs a connected network, and no path leads from node 0 to all others; "
              + "'treecast simulate' takes any network");
    }
    if (broadcasts < 1 || broadcasts > 10_000) {
      throw CommandFailure.usage(
          "--broadcasts: " + broadcasts + " is not allowed; allowed are 1 to 10000");
    }
    if (payloadBytes < 0 || payloadBytes > MAX_PAYLOAD_BYTES) {
      throw CommandFailure.usage(
          "--payload-bytes: %s is not allowed; allowed are 0 to %s"
              .formatted(payloadBytes, MAX_PAYLOAD_BYTES));
    }
    checkPort("--port", port, MAX_PORT - (topology.nodes() - 1));
    checkPort("--admin-port", adminPort, MAX_PORT);
    return topology;
  }

  private static void checkPort(String option, @Nullable Integer chosen, int greatest) {
    if (chosen != null && (chosen < 0 || chosen > greatest)) {
      throw CommandFailure.usage(
          option + ": " + chosen + " is not allowed; allowed are 0 to " + greatest);
    }
  }

  private int checkedSource(Topology topology) {
    Integer chosen = source;
    if (chosen == null) {
      return topology.nodes() > ReferenceNetwork.SOURCE && !network.hasMatrix()
          ? ReferenceNetwork.SOURCE
          : 0;
    }
    if (chosen < 0 || chosen >= topology.nodes()) {
      throw CommandFailure.usage(
          "--source: there is no node %s; the nodes are 0 to %s"
              .formatted(chosen, topology.nodes() - 1));
    }
    return chosen;
  }

  /**
   * Starts the cluster on the default ports, or on free ports if those are taken and were not
   * requested.
   */
  private LocalCluster start(Places places, int adminNode, DemoProgress progress) {
    try {
      return start(places, adminNode, DEFAULT_PORT, DEFAULT_ADMIN_PORT, progress);
    } catch (ConfigException taken) {
      LocalCluster cluster;
      try {
        cluster = start(places, adminNode, 0, 0, progress);
      } catch (ConfigException askedFor) {
        throw CommandFailure.failed(askedFor.getMessage() + FLAGS);
      }
      progress.portTaken(taken.getMessage() + FLAGS);
      return cluster;
    }
  }

  /**
   * Starts the cluster on the requested ports, and on the given defaults where none were requested.
   */
  private LocalCluster start(
      Places places, int adminNode, int elsePort, int elseAdminPort, DemoProgress progress)
      throws ConfigException {
    return LocalCluster.start(
        places.topology(),
        new LocalCluster.Settings(
            port != null ? port : elsePort,
            adminNode,
            adminPort != null ? adminPort : elseAdminPort,
            places.sites(),
            thresholds.thresholds().applyTo(SignificancePolicy.DEFAULT),
            progress::noticed));
  }

  /**
   * Limits the throughput of links between sites by their latency, as for single TCP streams, so
   * that the widest tree differs from the tree by latency.
   */
  private static void narrowLinksBetweenSites(LocalCluster cluster, NodeSites sites) {
    for (Topology.Link link : cluster.topology().links()) {
      if (sites.siteOf(link.low()) != sites.siteOf(link.high())) {
        cluster.network().throughput(link.low(), link.high(), kbpsBetweenSites(link.rttMicros()));
      }
    }
  }

  /** Returns the throughput by round trip, from 500 down to 20 Mbit/s. */
  static long kbpsBetweenSites(long rttMicros) {
    return Math.max(20_000, Math.min(500_000, 10_000_000_000L / Math.max(1, rttMicros)));
  }

  private List<ClusterReport.SourceReport> broadcastAll(
      LocalCluster cluster, ClusterReport built, int from, DemoProgress progress) {
    byte[] payload = new byte[payloadBytes];
    new Random(network.seed()).nextBytes(payload);
    BroadcastTimes times = new BroadcastTimes(cluster.topology());
    List<ClusterReport.SourceReport> measured = new ArrayList<>();
    try (BroadcastStopwatch stopwatch = new BroadcastStopwatch(cluster)) {
      progress.broadcasting(from, payloadBytes, comparison(built.places(), times, from));
      // The first broadcast warms up the code and is not counted.
      stopwatch.lastMillis(from, payload);
      for (int number = 1; number <= broadcasts; number++) {
        ClusterReport.SourceReport report =
            built.source(from, stopwatch.lastMillis(from, payload), times);
        progress.broadcast(number, report);
        if (number == broadcasts && !eachSource()) {
          measured.add(report);
        }
      }
      if (eachSource()) {
        double[] lastMillis = stopwatch.medianLastMillis(payload);
        for (int node = 0; node < lastMillis.length; node++) {
          measured.add(built.source(node, lastMillis[node], times));
        }
      }
    }
    return measured;
  }

  private boolean eachSource() {
    return allSources || (output.isJson() && source == null);
  }

  private static String comparison(Places places, BroadcastTimes times, int from) {
    Topology topology = places.topology();
    BroadcastShape star = BroadcastShape.star(topology, from);
    BroadcastShape binomial = BroadcastShape.binomial(topology, from);
    return String.format(
        Locale.ROOT,
        "shortest-path limit %.1f ms; for comparison, over the same matrix: a star %.1f ms (copies between sites: %d), "
            + "a binomial tree by rank %.1f ms (%d)",
        times.limitNanos(from) / 1e6,
        times.lastNanos(star) / 1e6,
        star.copiesBetweenSites(places.sites()::siteOf),
        times.lastNanos(binomial) / 1e6,
        binomial.copiesBetweenSites(places.sites()::siteOf));
  }
}
