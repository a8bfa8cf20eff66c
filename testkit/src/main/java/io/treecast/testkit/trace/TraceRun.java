package io.treecast.testkit.trace;

import io.treecast.agent.core.AgentSnapshot.LinkView;
import io.treecast.agent.core.contract.LinkState;
import io.treecast.agent.core.contract.MeasurementTotals;
import io.treecast.agent.core.settings.LinkLimits;
import io.treecast.agent.core.settings.OverlayLimits;
import io.treecast.collectives.broadcast.contract.BroadcastLimits;
import io.treecast.collectives.operation.contract.CombiningLimits;
import io.treecast.ghs.Edge;
import io.treecast.ghs.LinkWeight;
import io.treecast.ghs.NodeId;
import io.treecast.monitor.forecast.ErrorTotals;
import io.treecast.monitor.forecast.Forecasters;
import io.treecast.monitor.probe.ProbePolicy;
import io.treecast.monitor.probe.SilencePolicy;
import io.treecast.monitor.throughput.ThroughputPolicy;
import io.treecast.monitor.weight.SignificancePolicy;
import io.treecast.monitor.weight.WeightGrid;
import io.treecast.mst.CommittedTree;
import io.treecast.oracle.KruskalByJGraphT;
import io.treecast.oracle.WeightedEdge;
import io.treecast.testkit.cluster.ClusterHistory.Commit;
import io.treecast.testkit.network.NetworkConditions;
import io.treecast.testkit.network.RoundTripTrace;
import io.treecast.testkit.network.Topology;
import io.treecast.testkit.network.Topology.Link;
import io.treecast.testkit.sim.SimAgent;
import io.treecast.testkit.sim.SimCluster;
import io.treecast.testkit.sim.network.SimSettings;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Agents on a recorded network in virtual time. They start with the first slice and a few seeds
 * each, measure each link once per slice, and probe it more often as a heartbeat. A link without an
 * answer in a slice is cut. All other settings are the defaults of agents.
 *
 * <p>For one use by one thread. The same trace and seed give the same report.
 */
public final class TraceRun {
  /** Shortest slice: the first tree is built in the first one. */
  public static final Duration MIN_SLICE = Duration.ofSeconds(20);

  /** Longest slice, the longest interval of probes. */
  public static final Duration MAX_SLICE = ProbePolicy.MAX_STEADY_INTERVAL;

  /** Probes of a link in a slice: one is the measurement, all are heartbeats. */
  private static final int HEARTBEATS = 6;

  private static final int BURST_PROBES = 3;
  private static final Duration BURST_INTERVAL = Duration.ofMillis(200);

  private final RoundTripTrace trace;
  private final long sliceSeconds;
  private final SimCluster cluster;
  private final List<TraceReport.Slice> slices = new ArrayList<>();

  private MeasurementTotals measured;
  private long controlMessages;
  private Set<Edge> minimum = Set.of();
  private Set<Edge> inUse = Set.of();
  private @Nullable CommittedTree lastTree;
  private @Nullable Double builtMillis;

  private TraceRun(
      RoundTripTrace trace, Duration slice, SignificancePolicy significance, long seed) {
    this.trace = trace;
    this.sliceSeconds = slice.toSeconds();
    Duration heartbeat = slice.dividedBy(HEARTBEATS);
    this.cluster =
        new SimCluster(
            topology(trace),
            seed,
            null,
            new SimSettings(
                new ProbePolicy(
                    BURST_PROBES,
                    BURST_PROBES,
                    BURST_INTERVAL,
                    heartbeat,
                    slice,
                    1,
                    slice,
                    ProbePolicy.usualPerSecond(heartbeat)),
                SilencePolicy.forHeartbeat(heartbeat),
                significance.withGrid(WeightGrid.EXACT),
                ThroughputPolicy.DISABLED,
                OverlayLimits.DEFAULT,
                LinkLimits.DEFAULT,
                BroadcastLimits.defaults(),
                CombiningLimits.defaults(),
                List.of()));
    this.measured = measured();
  }

  /**
   * Replays a trace.
   *
   * @param slice the duration of a slice, {@link #MIN_SLICE} to {@link #MAX_SLICE}, whole seconds
   */
  public static TraceReport run(
      RoundTripTrace trace, Duration slice, SignificancePolicy significance, long seed) {
    if (slice.compareTo(MIN_SLICE) < 0 || slice.compareTo(MAX_SLICE) > 0) {
      throw new IllegalArgumentException(
          "slice is " + slice + "; allowed is " + MIN_SLICE + " to " + MAX_SLICE);
    }
    return new TraceRun(trace, slice, significance, seed).run();
  }

  /**
   * Returns all pairs with the first round trip of each; a pair that never answers gets any value,
   * since it is always cut.
   */
  private static Topology topology(RoundTripTrace trace) {
    List<Link> links = new ArrayList<>();
    for (int low = 0; low < trace.nodes(); low++) {
      for (int high = low + 1; high < trace.nodes(); high++) {
        int answering = 0;
        while (answering < trace.slices() && trace.rttMicros(answering, low, high) == 0) {
          answering++;
        }
        boolean answers = answering < trace.slices();
        links.add(new Link(low, high, answers ? trace.rttMicros(answering, low, high) : 1));
      }
    }
    return Topology.of(trace.nodes(), links);
  }

  private TraceReport run() {
    for (int slice = 0; slice < trace.slices(); slice++) {
      run(slice);
    }
    return new TraceReport(
        trace.nodes(),
        builtMillis,
        Forecasters.namesOfRoundTrips(),
        builtMillis != null
            ? slices
            : slices.stream()
                .map(slice -> slice.withUnspannedSeconds((int) sliceSeconds))
                .toList());
  }

  private void run(int slice) {
    long startNanos = cluster.nowNanos();
    cluster.change("slice " + trace.number(slice), conditions -> apply(conditions, slice));
    List<Link> answering = trace.links(slice);
    int parts = parts(answering);
    int unspannedSeconds = 0;
    boolean spans = false;
    for (int second = 0; second < sliceSeconds; second++) {
      cluster.runUntil(() -> false, 1_000);
      spans = parts(answering(slice, edgesInUse())) == parts;
      if (spans && builtMillis == null && !answering.isEmpty()) {
        builtMillis = cluster.nowNanos() / 1e6;
      } else if (!spans && builtMillis != null) {
        unspannedSeconds++;
      }
    }
    MeasurementTotals before = measured;
    measured = measured();
    long messagesBefore = controlMessages;
    controlMessages = cluster.controlTraffic().count();
    Set<Edge> minimumBefore = minimum;
    List<LinkWeight> oracle = oracle(answering);
    minimum = edges(oracle);
    Set<Edge> inUseBefore = inUse;
    inUse = new TreeSet<>(edgesInUse());
    List<Edge> linked = linked();
    List<Link> linkedAnswering = answering(slice, linked);
    slices.add(
        new TraceReport.Slice(
            trace.number(slice),
            weight(slice, answering),
            oracle.stream().mapToLong(LinkWeight::cost).sum(),
            parts(linkedAnswering) == parts
                ? oracle(linkedAnswering).stream().mapToLong(LinkWeight::cost).sum()
                : 0,
            linked.size(),
            most(linked),
            slice == 0 ? 0 : added(inUseBefore, inUse),
            slice == 0 ? 0 : added(minimumBefore, minimum),
            edgesCommitted(startNanos),
            controlMessages - messagesBefore,
            measured.probesSent() - before.probesSent(),
            measured.forecasts().since(before.forecasts()),
            unspannedSeconds,
            spans));
  }

  private void apply(NetworkConditions conditions, int slice) {
    for (int low = 0; low < trace.nodes(); low++) {
      for (int high = low + 1; high < trace.nodes(); high++) {
        long rttMicros = trace.rttMicros(slice, low, high);
        if (rttMicros > 0) {
          conditions.rtt(low, high, rttMicros);
          conditions.heal(low, high);
        } else {
          conditions.cut(low, high);
        }
      }
    }
  }

  /** Returns the edges that both their ends have in their committed trees. */
  private List<Edge> edgesInUse() {
    Set<Edge> seen = new TreeSet<>();
    List<Edge> agreed = new ArrayList<>();
    for (SimAgent agent : cluster.agents()) {
      CommittedTree tree = agent.treeStatus().tree();
      if (tree != null) {
        NodeId self = SimSettings.id(agent.node());
        for (NodeId neighbour : tree.neighbours(self)) {
          Edge edge = Edge.between(self, neighbour);
          if (!seen.add(edge)) {
            agreed.add(edge);
          }
        }
      }
    }
    return agreed;
  }

  /** Returns the pairs whose owners have the link up. */
  private List<Edge> linked() {
    List<Edge> linked = new ArrayList<>();
    for (SimAgent agent : cluster.agents()) {
      NodeId self = SimSettings.id(agent.node());
      for (LinkView link : agent.snapshot().links()) {
        if (link.state() == LinkState.UP && self.compareTo(link.peer().id()) < 0) {
          linked.add(Edge.between(self, link.peer().id()));
        }
      }
    }
    return linked;
  }

  /** Returns the highest number of links of a node. */
  private int most(List<Edge> linked) {
    int[] links = new int[trace.nodes()];
    for (Edge edge : linked) {
      links[number(edge.low())]++;
      links[number(edge.high())]++;
    }
    return IntStream.of(links).max().orElse(0);
  }

  private List<Link> answering(int slice, List<Edge> edges) {
    List<Link> links = new ArrayList<>();
    for (Edge edge : edges) {
      long rttMicros = trace.rttMicros(slice, number(edge.low()), number(edge.high()));
      if (rttMicros > 0) {
        links.add(Link.between(number(edge.low()), number(edge.high()), rttMicros));
      }
    }
    return links;
  }

  private static int number(NodeId id) {
    return Integer.parseInt(id.toString());
  }

  /** Returns the number of components that these links form among the nodes. */
  private int parts(List<Link> links) {
    int[] towards = IntStream.range(0, trace.nodes()).toArray();
    int parts = trace.nodes();
    for (Link link : links) {
      int one = part(towards, link.low());
      int other = part(towards, link.high());
      if (one != other) {
        towards[one] = other;
        parts--;
      }
    }
    return parts;
  }

  private static int part(int[] towards, int node) {
    int part = node;
    while (towards[part] != part) {
      towards[part] = towards[towards[part]];
      part = towards[part];
    }
    return part;
  }

  private static List<LinkWeight> oracle(List<Link> links) {
    List<WeightedEdge<NodeId, LinkWeight>> edges = new ArrayList<>();
    Set<NodeId> nodes = new TreeSet<>();
    for (Link link : links) {
      NodeId low = SimSettings.id(link.low());
      NodeId high = SimSettings.id(link.high());
      nodes.add(low);
      nodes.add(high);
      edges.add(new WeightedEdge<>(low, high, LinkWeight.between(low, high, link.rttMicros())));
    }
    return new KruskalByJGraphT()
        .of(nodes, edges).edges().stream().map(WeightedEdge::weight).toList();
  }

  /**
   * Returns the weight of the edges between nodes that answer; an edge without an answer counts
   * with its last round trip.
   */
  private long weight(int slice, List<Link> answering) {
    Set<Integer> there = new TreeSet<>();
    answering.forEach(link -> there.addAll(List.of(link.low(), link.high())));
    long sum = 0;
    for (Edge edge : inUse) {
      int low = number(edge.low());
      int high = number(edge.high());
      if (there.contains(low) && there.contains(high)) {
        int known = slice;
        while (known > 0 && trace.rttMicros(known, low, high) == 0) {
          known--;
        }
        sum += trace.rttMicros(known, low, high);
      }
    }
    return sum;
  }

  /** Counts the edges added between successive committed trees that have most of the nodes. */
  private int edgesCommitted(long sinceNanos) {
    int changes = 0;
    for (Commit commit : cluster.history().commitsSince(sinceNanos)) {
      CommittedTree tree = commit.tree();
      boolean isNewer = lastTree == null || tree.version() > lastTree.version();
      if (isNewer && 2 * tree.members().size() > trace.nodes()) {
        changes += lastTree == null ? 0 : added(edges(lastTree.edges()), edges(tree.edges()));
        lastTree = tree;
      }
    }
    return changes;
  }

  private static Set<Edge> edges(List<LinkWeight> weights) {
    Set<Edge> edges = new TreeSet<>();
    weights.forEach(weight -> edges.add(Edge.between(weight.low(), weight.high())));
    return edges;
  }

  private static int added(Set<Edge> before, Set<Edge> after) {
    Set<Edge> added = new TreeSet<>(after);
    added.removeAll(before);
    return added.size();
  }

  private MeasurementTotals measured() {
    long probesSent = 0;
    ErrorTotals forecasts = ErrorTotals.none(Forecasters.namesOfRoundTrips().size());
    for (SimAgent agent : cluster.agents()) {
      MeasurementTotals totals = agent.measurementTotals();
      probesSent += totals.probesSent();
      forecasts = forecasts.plus(totals.forecasts());
    }
    return new MeasurementTotals(probesSent, forecasts);
  }
}
