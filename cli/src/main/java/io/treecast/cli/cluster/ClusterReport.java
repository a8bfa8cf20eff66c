package io.treecast.cli.cluster;

import io.treecast.agent.core.AgentSnapshot;
import io.treecast.agent.core.AgentSnapshot.LinkView;
import io.treecast.cli.tree.TreeVerification;
import io.treecast.ghs.LinkWeight;
import io.treecast.ghs.NodeId;
import io.treecast.mst.CommittedTree;
import io.treecast.testkit.cluster.ControlTraffic;
import io.treecast.testkit.network.BroadcastShape;
import io.treecast.testkit.network.BroadcastTimes;
import io.treecast.testkit.network.Topology;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * The results of a cluster of agents on a topology, in virtual or real time.
 *
 * @param places the network, its names and sites
 * @param trees the committed trees, one for each component, in the order of their first members
 * @param traffic the control messages that were sent
 * @param buildMillis time from the first agent's start to the last agent's commit
 * @param minimal whether the trees are the minimum spanning forest of the weights that the agents
 *     agreed on
 * @param sources the results of one broadcast from each source
 */
public record ClusterReport(
    Places places,
    List<CommittedTree> trees,
    ControlTraffic traffic,
    double buildMillis,
    boolean minimal,
    List<SourceReport> sources) {

  /**
   * One broadcast.
   *
   * @param source the origin
   * @param lastMillis time from the publication to the delivery at the last node
   * @param limitMillis lower bound of this time, by shortest paths
   * @param siteCopies number of copies between sites along the tree
   */
  public record SourceReport(int source, double lastMillis, double limitMillis, int siteCopies) {
    /** Returns the time divided by the limit; 1 without receivers. */
    public double ratio() {
      return limitMillis == 0 ? 1 : lastMillis / limitMillis;
    }
  }

  /** Returns the report of the agents' snapshots; {@link #withSources} adds the broadcasts. */
  public static ClusterReport of(Places places, List<AgentSnapshot> agents) {
    TreeMap<NodeId, CommittedTree> byRoot = new TreeMap<>();
    TreeSet<LinkWeight> links = new TreeSet<>();
    SortedMap<String, Long> messages = new TreeMap<>();
    List<NodeId> nodes = new ArrayList<>();
    long startedNanos = Long.MAX_VALUE;
    long committedNanos = Long.MIN_VALUE;
    for (AgentSnapshot agent : agents) {
      nodes.add(agent.self().id());
      CommittedTree tree = agent.tree().tree();
      if (tree == null) {
        throw new IllegalStateException(
            "agent " + agent.self().id() + " has no tree: " + agent.tree().reason());
      }
      CommittedTree other = byRoot.putIfAbsent(tree.root(), tree);
      if (other != null && !other.equals(tree)) {
        throw new IllegalStateException("agents disagree on the tree of root " + tree.root());
      }
      for (LinkView link : agent.links()) {
        if (link.weight() != null) {
          links.add(link.weight());
        }
      }
      agent.controlMessagesSent().forEach((type, count) -> messages.merge(type, count, Long::sum));
      startedNanos = Math.min(startedNanos, agent.startedNanos());
      committedNanos = Math.max(committedNanos, agent.committedNanos());
    }
    List<CommittedTree> trees = new ArrayList<>(byRoot.values());
    trees.sort((a, b) -> a.members().first().compareTo(b.members().first()));
    List<LinkWeight> edges = trees.stream().flatMap(tree -> tree.edges().stream()).toList();
    return new ClusterReport(
        places,
        trees,
        new ControlTraffic(messages, 0),
        (committedNanos - startedNanos) / 1e6,
        TreeVerification.of(nodes, links, edges).isMinimal(),
        List.of());
  }

  public ClusterReport withSources(List<SourceReport> measured) {
    return new ClusterReport(places, trees, traffic, buildMillis, minimal, List.copyOf(measured));
  }

  /** Returns the report of a broadcast with a measured time. */
  public SourceReport source(int source, double lastMillis, BroadcastTimes times) {
    return new SourceReport(
        source,
        lastMillis,
        times.limitNanos(source) / 1e6,
        alongTree(source).copiesBetweenSites(places.sites()::siteOf));
  }

  /** Returns the network. */
  public Topology topology() {
    return places.topology();
  }

  BroadcastShape alongTree(int source) {
    return BroadcastShape.alongTree(topology().nodes(), topologyEdges(), source);
  }

  private List<Topology.Link> topologyEdges() {
    return edges().stream()
        .map(e -> new Topology.Link(number(e.low()), number(e.high()), e.cost()))
        .toList();
  }

  /** Returns all trees' edges, lightest first. */
  List<LinkWeight> edges() {
    return trees.stream().flatMap(tree -> tree.edges().stream()).sorted().toList();
  }

  double weightMillis() {
    return edges().stream().mapToLong(LinkWeight::cost).sum() / 1e3;
  }

  double ratioMean() {
    return sources.stream().mapToDouble(SourceReport::ratio).average().orElseThrow();
  }

  double ratioWorst() {
    return sources.stream().mapToDouble(SourceReport::ratio).max().orElseThrow();
  }

  public static int number(NodeId id) {
    return Integer.parseInt(id.toString());
  }

  public ObjectNode toJson() {
    ObjectNode json = JsonMapper.shared().createObjectNode();
    json.put("nodes", topology().nodes());
    json.put("links", topology().links().size());
    ArrayNode tree = json.putArray("tree");
    for (LinkWeight edge : edges()) {
      ObjectNode item = tree.addObject();
      places.put(item, "a", edge.low());
      places.put(item, "b", edge.high());
      item.put("weightMillis", edge.cost() / 1e3);
    }
    json.put("weightMillis", rounded(weightMillis()));
    places.put(json, "root", trees.get(0).root());
    ArrayNode roots = json.putArray("roots");
    trees.forEach(t -> places.add(roots, number(t.root())));
    ObjectNode byType = json.putObject("messages");
    traffic.counted().forEach(byType::put);
    json.put("controlMessages", traffic.count());
    json.put("handshakeMessages", traffic.handshakeMessages());
    json.put("buildMillis", rounded(buildMillis));
    json.put("minimal", minimal);
    ArrayNode perSource = json.putArray("sources");
    for (SourceReport source : sources) {
      ObjectNode item = perSource.addObject();
      places.put(item, "source", NodeId.of(Integer.toString(source.source())));
      item.put("lastMillis", rounded(source.lastMillis()))
          .put("limitMillis", rounded(source.limitMillis()))
          .put("ratio", rounded(source.ratio()))
          .put("siteCopies", source.siteCopies());
    }
    json.put("ratioMean", rounded(ratioMean()));
    json.put("ratioWorst", rounded(ratioWorst()));
    return json;
  }

  /** Rounds milliseconds to nanoseconds, which removes only the noise of binary fractions. */
  private static double rounded(double value) {
    return Math.round(value * 1e6) / 1e6;
  }
}
