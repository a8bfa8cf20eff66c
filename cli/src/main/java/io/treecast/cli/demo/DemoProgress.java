package io.treecast.cli.demo;

import io.treecast.agent.config.HostPort;
import io.treecast.agent.core.AgentSnapshot;
import io.treecast.agent.core.contract.Notice;
import io.treecast.agent.core.contract.TreePhase;
import io.treecast.cli.cluster.ClusterReport;
import io.treecast.cli.cluster.ReportText;
import io.treecast.cli.console.CommandFailure;
import io.treecast.cli.console.Console;
import io.treecast.cli.console.Plural;
import io.treecast.ghs.LinkWeight;
import io.treecast.ghs.NodeId;
import io.treecast.mst.CommittedTree;
import io.treecast.testkit.local.LocalCluster;
import io.treecast.testkit.network.Topology;
import java.io.PrintWriter;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Prints the progress of the demo's cluster. The demo's thread prints stages; agents' threads print
 * their warnings.
 */
public final class DemoProgress {
  private static final long TIMEOUT_SECONDS = 300;
  private static final long LOOK_MILLIS = 20;

  /** Interval of progress lines while the demo waits. */
  private static final long PROGRESS_MILLIS = 5_000;

  /**
   * Quiet time of a tree at rest, longer than the interval of 2.5 s between measurements of a link.
   */
  private static final long REST_MILLIS = 3_000;

  /**
   * Timeout of the wait for rest. On a busy machine round trips vary forever, and the demo
   * continues.
   */
  private static final long REST_TIMEOUT_MILLIS = 60_000;

  private final Topology topology;
  private final PrintWriter out;
  private final long startNanos = System.nanoTime();
  private int nextQuarter = 1;
  private long reportedNanos = startNanos;

  /** The first agent that has stopped, and the reason. */
  private final CompletableFuture<String> firstStopped = new CompletableFuture<>();

  private volatile boolean ending;

  DemoProgress(Topology topology, PrintWriter out) {
    this.topology = topology;
    this.out = out;
  }

  private static long version(AgentSnapshot agent) {
    CommittedTree tree = agent.tree().tree();
    return tree == null ? 0 : tree.version();
  }

  private boolean isProgressDue() {
    return System.nanoTime() - reportedNanos > TimeUnit.MILLISECONDS.toNanos(PROGRESS_MILLIS);
  }

  private void report(String format, Object... args) {
    reportedNanos = System.nanoTime();
    print(format, args);
    Console.checkWritten(out);
    Console.checkRead(out);
  }

  private void print(String format, Object... args) {
    double seconds = (System.nanoTime() - startNanos) / 1e9;
    out.printf(Locale.ROOT, "[%5.1f s] %s%n", seconds, String.format(Locale.ROOT, format, args));
    out.flush();
  }

  void starting(String network) {
    report(
        "starting %s on %s, %s; every message takes half of its link's round trip, and links between sites"
            + " carry 20 to 500 Mbit/s",
        Plural.of(topology.nodes(), "agent"), network, Plural.of(topology.links().size(), "link"));
  }

  /** Prints a warning of an agent, on the agent's thread. */
  void noticed(NodeId node, Notice notice) {
    if (notice.severity().needsAttention() && notice.kind() != Notice.Kind.LINK_LOST) {
      print("agent %s: %s", node, notice.text());
    }
  }

  /**
   * Reports that a port of the demo is taken, perhaps by another demo.
   *
   * @param reason the port, and what to do
   */
  void portTaken(String reason) {
    report("%s", reason);
    report("the demo uses free ports instead of the default ones; use --agent in commands");
  }

  /** Reports that all agents are up; from now on none may stop until the tree is at rest. */
  void agentsUp(LocalCluster cluster) {
    for (int node = 0; node < topology.nodes(); node++) {
      int number = node;
      var unused = cluster.agent(node).stopped().thenAccept(reason -> stopped(number, reason));
    }
    HostPort first = cluster.agent(0).address();
    int last = topology.nodes() - 1;
    List<Integer> ports =
        IntStream.rangeClosed(0, last).mapToObj(n -> cluster.agent(n).address().port()).toList();
    String agents = Plural.of(ports.size(), "agent");
    boolean inOrder =
        IntStream.rangeClosed(0, last).allMatch(n -> ports.get(n) == first.port() + n);
    if (inOrder) {
      report("%s up, at %s to %s", agents, first, cluster.agent(last).address());
    } else {
      report(
          "%s up, at %s; ports of nodes 0 to %d: %s",
          agents,
          first.host(),
          last,
          ports.stream().map(String::valueOf).collect(Collectors.joining(" ")));
    }
  }

  /** Marks further ends of agents as intended, since the demo closes them. Any thread. */
  void ending() {
    ending = true;
  }

  /** Records that an agent has stopped. Any thread. */
  void stopped(int node, String reason) {
    if (!ending) {
      firstStopped.complete("agent " + node + " stopped: " + reason);
    }
  }

  private void checkNoneStopped() {
    String stopped = firstStopped.getNow("");
    if (!stopped.isEmpty()) {
      throw CommandFailure.failed(stopped + "; restart the demo");
    }
  }

  /** Waits until every agent has a tree and can send along it. */
  void awaitTree(LocalCluster cluster) throws InterruptedException {
    long deadlineNanos = System.nanoTime() + TimeUnit.SECONDS.toNanos(TIMEOUT_SECONDS);
    while (true) {
      List<AgentSnapshot> agents = cluster.snapshots();
      reportMeasured(agents);
      if (isProgressDue()) {
        report(
            "%d of %s have a tree",
            agents.stream().filter(agent -> agent.tree().ready()).count(),
            Plural.of(topology.nodes(), "agent"));
      }
      if (haveAllAnswered(agents) && agents.stream().allMatch(AgentSnapshot::carriesBroadcasts)) {
        return;
      }
      checkNoneStopped();
      if (System.nanoTime() > deadlineNanos) {
        throw CommandFailure.failed(
            "no tree after "
                + TIMEOUT_SECONDS
                + " s; "
                + agents.stream()
                    .filter(agent -> !agent.tree().ready())
                    .findFirst()
                    .map(late -> "agent " + late.self().id() + ": " + late.tree().reason())
                    .orElse(agents.size() + " of " + topology.nodes() + " agents answer"));
      }
      Thread.sleep(LOOK_MILLIS);
    }
  }

  /**
   * Waits until all agents have the same tree and have sent no control message for a quiet time,
   * since weights improve as the process warms up.
   */
  List<AgentSnapshot> awaitRest(LocalCluster cluster) throws InterruptedException {
    long nowNanos = System.nanoTime();
    long deadlineNanos = nowNanos + TimeUnit.MILLISECONDS.toNanos(REST_TIMEOUT_MILLIS);
    long quietSinceNanos = nowNanos;
    List<AgentSnapshot> agents = cluster.snapshots();
    report("all agents have a tree; waiting until it is at rest");
    while (true) {
      Thread.sleep(LOOK_MILLIS);
      List<AgentSnapshot> before = agents;
      agents = cluster.snapshots();
      nowNanos = System.nanoTime();
      if (!sent(agents).equals(sent(before))) {
        quietSinceNanos = nowNanos;
      }
      boolean isLate = nowNanos > deadlineNanos;
      if (isProgressDue()) {
        report(
            "not at rest yet: tree version %d; the last message of the algorithm was sent %.1f s ago",
            agents.stream().mapToLong(DemoProgress::version).max().orElse(0),
            (nowNanos - quietSinceNanos) / 1e9);
      }
      if (haveAllAnswered(agents)
          && haveOneTree(agents)
          && (isLate || nowNanos - quietSinceNanos > TimeUnit.MILLISECONDS.toNanos(REST_MILLIS))) {
        if (isLate) {
          report(
              "not at rest after %d s, because round trips vary: the machine is busy",
              REST_TIMEOUT_MILLIS / 1_000);
        }
        return agents;
      }
      checkNoneStopped();
      if (nowNanos > deadlineNanos + TimeUnit.SECONDS.toNanos(TIMEOUT_SECONDS)) {
        throw CommandFailure.failed("the agents do not agree on a tree");
      }
    }
  }

  /** Returns whether all agents have answered, which ends when the demo closes them. */
  private boolean haveAllAnswered(List<AgentSnapshot> agents) {
    return agents.size() == topology.nodes();
  }

  private static List<Map<String, Long>> sent(List<AgentSnapshot> agents) {
    return agents.stream().map(AgentSnapshot::controlMessagesSent).toList();
  }

  /** Returns whether all agents are up with the same tree. */
  public static boolean haveOneTree(List<AgentSnapshot> agents) {
    CommittedTree tree = agents.get(0).tree().tree();
    return agents.stream()
        .allMatch(
            agent ->
                agent.tree().phase() == TreePhase.COMMITTED
                    && agent.carriesBroadcasts()
                    && Objects.equals(agent.tree().tree(), tree));
  }

  private void reportMeasured(List<AgentSnapshot> agents) {
    if (nextQuarter > 4) {
      return;
    }
    // Counted at each link's owner, since the other end may lag by a message.
    TreeSet<LinkWeight> measured = new TreeSet<>();
    for (AgentSnapshot agent : agents) {
      agent.links().stream()
          .map(AgentSnapshot.LinkView::weight)
          .filter(Objects::nonNull)
          .filter(weight -> weight.low().equals(agent.self().id()))
          .forEach(measured::add);
    }
    int links = topology.links().size();
    if (measured.isEmpty() || measured.size() * 4 < links * nextQuarter) {
      return;
    }
    nextQuarter = measured.size() * 4 / links + 1;
    report(
        "%d of %d links measured, %.1f to %.1f ms round trip",
        measured.size(), links, measured.first().cost() / 1e3, measured.last().cost() / 1e3);
  }

  void treeBuilt(ClusterReport built) {
    report("the tree is at rest, version %d", built.trees().get(0).version());
    out.println();
    new ReportText(built).printTree(out, "real");
    out.println();
  }

  void broadcasting(int source, int payloadBytes, String comparison) {
    report(
        "node %d broadcasts %d bytes to a subscriber at each node, once to warm up, then counted",
        source, payloadBytes);
    report("%s", comparison);
  }

  void broadcast(int number, ClusterReport.SourceReport report) {
    report(
        "broadcast %d: at the last node after %.1f ms, %.3f times the limit; copies between sites along"
            + " the tree: %d",
        number, report.lastMillis(), report.ratio(), report.siteCopies());
  }

  void summary(ClusterReport report, LocalCluster cluster, int adminNode, boolean staysUp) {
    if (report.sources().size() > 1) {
      out.println();
      new ReportText(report).printSources(out);
      out.println();
    }
    if (!staysUp) {
      return;
    }
    HostPort agent = cluster.agent(adminNode).address();
    HostPort admin = cluster.agent(adminNode).adminAddress();
    report("the cluster stays up until Ctrl-C");
    printPage("live page of node " + adminNode, admin, "/");
    printPage("metrics of all agents", admin, "/metrics");
    printPage("health of node " + adminNode, admin, "/readyz");
    printPage("its tree", admin, "/tree.json");
    out.println("  try                     ./treecast tree show --agent " + agent);
    out.println(
        "                          ./treecast broadcast --agent " + agent + " --text hello");
    Console.checkWritten(out);
    Console.checkRead(out);
  }

  private void printPage(String what, @Nullable HostPort admin, String path) {
    out.printf(Locale.ROOT, "  %-24shttp://%s%s%n", what, admin, path);
  }
}
