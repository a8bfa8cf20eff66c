package io.treecast.it.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.treecast.agent.config.ConfigException;
import io.treecast.agent.core.AgentSnapshot;
import io.treecast.agent.core.AgentSnapshot.LinkView;
import io.treecast.client.Treecast;
import io.treecast.ghs.Edge;
import io.treecast.ghs.LinkWeight;
import io.treecast.ghs.NodeId;
import io.treecast.mst.CommittedTree;
import io.treecast.oracle.Boruvka;
import io.treecast.oracle.KruskalByJGraphT;
import io.treecast.oracle.MinimumSpanningForest;
import io.treecast.oracle.WeightedEdge;
import io.treecast.testkit.local.LocalCluster;
import io.treecast.testkit.network.Topology;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Collectors;

/** A cluster that is ready, with one client at each node. For one thread. */
final class RunningCluster implements AutoCloseable {
  /** Timeout of a step, ample even on a busy machine. */
  static final Duration LIMIT = Duration.ofMinutes(2);

  private final LocalCluster cluster;
  private final List<Treecast> clients = new ArrayList<>();

  private RunningCluster(LocalCluster cluster) {
    this.cluster = cluster;
  }

  /**
   * Starts a cluster and waits until every agent has a tree of all members and carries broadcasts.
   */
  static RunningCluster start(Topology topology) throws ConfigException {
    RunningCluster running =
        new RunningCluster(LocalCluster.start(topology, LocalCluster.Settings.DEFAULT));
    try {
      await()
          .atMost(LIMIT)
          .untilAsserted(
              () ->
                  assertThat(running.cluster.snapshots())
                      .allSatisfy(
                          agent ->
                              assertThat(carriesBroadcasts(agent, topology.nodes()))
                                  .as("%s: %s", agent.self().id(), agent.tree())
                                  .isTrue()));
      for (int node = 0; node < topology.nodes(); node++) {
        running.clients.add(Treecast.connect(running.address(node)));
      }
      return running;
    } catch (Throwable failure) {
      running.close();
      throw failure;
    }
  }

  private static boolean carriesBroadcasts(AgentSnapshot agent, int members) {
    CommittedTree tree = agent.tree().tree();
    return tree != null && tree.members().size() == members && agent.carriesBroadcasts();
  }

  LocalCluster agents() {
    return cluster;
  }

  String address(int node) {
    return cluster.agent(node).address().toString();
  }

  Treecast client(int node) {
    return clients.get(node);
  }

  /** Subscribes at each node. */
  List<Inbox> inboxes() {
    return clients.stream().map(Inbox::of).toList();
  }

  /**
   * Returns the tree on which all agents agree, after both oracles have confirmed that it is
   * minimal. The next call may return another tree, since round trips vary.
   */
  CommittedTree agreedMinimalTree() {
    AtomicReference<CommittedTree> tree = new AtomicReference<>();
    await().atMost(LIMIT).untilAsserted(() -> tree.set(checkedTree()));
    return Objects.requireNonNull(tree.get());
  }

  private CommittedTree checkedTree() {
    List<AgentSnapshot> agents = cluster.snapshots();
    List<CommittedTree> trees =
        agents.stream().map(agent -> Objects.requireNonNull(agent.tree().tree())).toList();
    assertThat(trees).as("the trees of all agents").hasSize(agents.size());
    CommittedTree tree = trees.get(0);
    assertThat(trees).allMatch(tree::equals);
    assertThat(ends(tree.edges())).isEqualTo(ends(minimal(new KruskalByJGraphT(), agents)));
    assertThat(ends(tree.edges())).isEqualTo(ends(minimal(new Boruvka(), agents)));
    return tree;
  }

  /** Returns the edges without their weights, which may have changed since the commit. */
  private static Set<Edge> ends(List<LinkWeight> edges) {
    return edges.stream()
        .map(edge -> Edge.between(edge.low(), edge.high()))
        .collect(Collectors.toSet());
  }

  /** Returns the minimum spanning tree of the agreed weights. */
  private static List<LinkWeight> minimal(
      MinimumSpanningForest oracle, List<AgentSnapshot> agents) {
    SortedSet<LinkWeight> links = new TreeSet<>();
    for (AgentSnapshot agent : agents) {
      for (LinkView link : agent.links()) {
        assertThat(link.weight()).as("%s %s", agent.self().id(), link).isNotNull();
        links.add(Objects.requireNonNull(link.weight()));
      }
    }
    List<NodeId> nodes = agents.stream().map(agent -> agent.self().id()).toList();
    List<WeightedEdge<NodeId, LinkWeight>> edges =
        links.stream().map(link -> new WeightedEdge<>(link.low(), link.high(), link)).toList();
    return oracle.of(nodes, edges).edges().stream().map(WeightedEdge::weight).toList();
  }

  @Override
  public void close() {
    clients.forEach(Treecast::close);
    cluster.close();
  }
}
