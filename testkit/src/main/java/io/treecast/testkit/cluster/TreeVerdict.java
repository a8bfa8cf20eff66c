package io.treecast.testkit.cluster;

import io.treecast.agent.core.AgentSnapshot;
import io.treecast.agent.core.message.TreeMetric;
import io.treecast.ghs.Edge;
import io.treecast.ghs.LinkWeight;
import io.treecast.ghs.NodeId;
import io.treecast.mst.CommittedTree;
import io.treecast.oracle.Boruvka;
import io.treecast.oracle.KruskalByJGraphT;
import io.treecast.oracle.MinimumSpanningForest;
import io.treecast.oracle.WeightedEdge;
import io.treecast.testkit.network.NetworkConditions;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Whether the committed trees of a cluster are the right ones: in each component of the network as
 * it is now, all members have committed one tree, of exactly these members, and it is the minimum
 * spanning tree by two independent oracles. Agents that are paused are nobody's members.
 *
 * @param components one verdict for each component, in the order of their first nodes
 * @param linkProblems where agents do not see the links as they are; empty if they do
 */
public record TreeVerdict(List<Component> components, List<String> linkProblems) {
  private static final List<MinimumSpanningForest> ORACLES =
      List.of(new KruskalByJGraphT(), new Boruvka());

  /**
   * The verdict on one component.
   *
   * @param nodes its nodes
   * @param tree what the first of them has committed; null if nothing
   * @param minimal whether the tree is minimal for the weights that both ends of each link agree
   *     on, and nothing is wrong
   * @param minimalOnNetwork whether it is minimal for the round trips of the network, of which
   *     agents take changes for significant only beyond a threshold
   * @param problems what is wrong, for a person; empty if nothing is
   */
  public record Component(
      Set<Integer> nodes,
      @Nullable CommittedTree tree,
      boolean minimal,
      boolean minimalOnNetwork,
      List<String> problems) {}

  /** Copies the lists. */
  public TreeVerdict {
    components = List.copyOf(components);
    linkProblems = List.copyOf(linkProblems);
  }

  /** Judges the trees by latency of a cluster as it stands now. */
  public static TreeVerdict of(Cluster cluster) {
    return of(cluster, TreeMetric.LATENCY);
  }

  /** Judges the trees by one metric, of a cluster as it stands now. */
  public static TreeVerdict of(Cluster cluster, TreeMetric metric) {
    SortedMap<Integer, AgentSnapshot> standing = cluster.standing();
    UsableLinks usable = new UsableLinks(standing, cluster.network(), metric);
    List<Component> components = new ArrayList<>();
    for (Set<Integer> nodes : usable.components()) {
      components.add(judge(nodes, standing, usable, metric));
    }
    return new TreeVerdict(components, usable.problems());
  }

  /**
   * Returns whether the trees by latency are {@link #minimal}, for who asks often: it looks no
   * further when it has found a problem, and does not care for the round trips of the network.
   *
   * @param standing where each agent that is not paused stands, by node
   * @param network the network as it is now
   */
  public static boolean isMinimal(
      SortedMap<Integer, AgentSnapshot> standing, NetworkConditions network) {
    UsableLinks usable = new UsableLinks(standing, network, TreeMetric.LATENCY);
    if (!usable.problems().isEmpty()) {
      return false;
    }
    for (Set<Integer> nodes : usable.components()) {
      List<String> problems = new ArrayList<>();
      CommittedTree tree = agreed(nodes, standing, TreeMetric.LATENCY, problems);
      if (tree == null
          || !problems.isEmpty()
          || !isMinimal(ids(nodes), agreedLinks(nodes, usable), names(tree.edges()), problems)) {
        return false;
      }
    }
    return true;
  }

  private static @Nullable CommittedTree tree(@Nullable AgentSnapshot agent, TreeMetric metric) {
    if (agent == null) {
      return null;
    }
    return metric == TreeMetric.LATENCY ? agent.tree().tree() : agent.widestTree();
  }

  private static Component judge(
      Set<Integer> nodes,
      SortedMap<Integer, AgentSnapshot> standing,
      UsableLinks usable,
      TreeMetric metric) {
    List<String> problems = new ArrayList<>();
    CommittedTree tree = agreed(nodes, standing, metric, problems);
    List<LinkWeight> real =
        usable.links().stream()
            .filter(link -> nodes.contains(link.low()))
            .map(link -> LinkWeight.between(id(link.low()), id(link.high()), link.rttMicros()))
            .toList();
    Set<Edge> edges = tree == null ? Set.of() : names(tree.edges());
    boolean minimal =
        tree != null && isMinimal(ids(nodes), agreedLinks(nodes, usable), edges, problems);
    return new Component(
        nodes,
        tree,
        minimal && problems.isEmpty(),
        tree != null && edges.equals(names(minimumSpanningForest(ids(nodes), real))),
        problems);
  }

  /** The first tree that any of the nodes has; null if none has one. */
  private static @Nullable CommittedTree agreed(
      Set<Integer> nodes,
      SortedMap<Integer, AgentSnapshot> standing,
      TreeMetric metric,
      List<String> problems) {
    CommittedTree tree = null;
    for (int node : nodes) {
      CommittedTree own = tree(standing.get(node), metric);
      if (own == null) {
        problems.add("node " + node + " has no tree");
      } else if (tree == null) {
        tree = own;
      } else if (!own.equals(tree)) {
        problems.add("node " + node + " has " + own + ", another one has " + tree);
      }
    }
    if (tree != null && !tree.members().equals(ids(nodes))) {
      problems.add(tree + " has the members " + tree.members() + ", not " + nodes);
    }
    return tree;
  }

  /** The weights that both ends hold, of the links of these nodes. */
  private static List<LinkWeight> agreedLinks(Set<Integer> nodes, UsableLinks usable) {
    return usable.agreed().stream()
        .filter(link -> nodes.contains(Integer.parseInt(link.low().toString())))
        .toList();
  }

  private static boolean isMinimal(
      Collection<NodeId> nodes, List<LinkWeight> links, Set<Edge> edges, List<String> problems) {
    Set<Edge> minimal = names(minimumSpanningForest(nodes, links));
    Set<Edge> missing = new TreeSet<>(minimal);
    missing.removeAll(edges);
    Set<Edge> superfluous = new TreeSet<>(edges);
    superfluous.removeAll(minimal);
    if (!missing.isEmpty() || !superfluous.isEmpty()) {
      problems.add("not minimal: has " + superfluous + " instead of " + missing);
      return false;
    }
    return true;
  }

  private static List<LinkWeight> minimumSpanningForest(
      Collection<NodeId> nodes, List<LinkWeight> links) {
    List<WeightedEdge<NodeId, LinkWeight>> edges =
        links.stream().map(link -> new WeightedEdge<>(link.low(), link.high(), link)).toList();
    List<List<LinkWeight>> answers = new ArrayList<>();
    for (MinimumSpanningForest oracle : ORACLES) {
      answers.add(oracle.of(nodes, edges).edges().stream().map(WeightedEdge::weight).toList());
    }
    if (!answers.get(0).equals(answers.get(1))) {
      throw new AssertionError("the two oracles disagree: " + answers);
    }
    return answers.get(0);
  }

  /**
   * Returns an edge of a tree keeps its committed weight while the link becomes lighter: told by
   * ends.
   */
  private static Set<Edge> names(List<LinkWeight> weights) {
    Set<Edge> names = new TreeSet<>();
    weights.forEach(weight -> names.add(Edge.between(weight.low(), weight.high())));
    return names;
  }

  private static Set<NodeId> ids(Set<Integer> nodes) {
    Set<NodeId> ids = new TreeSet<>();
    nodes.forEach(node -> ids.add(id(node)));
    return ids;
  }

  private static NodeId id(int node) {
    return NodeId.of(Integer.toString(node));
  }

  /** Returns whether the tree of every component is minimal, and nothing is wrong. */
  public boolean minimal() {
    return linkProblems.isEmpty() && components.stream().allMatch(Component::minimal);
  }

  /** Returns all problems, of links or of any component. */
  public List<String> problems() {
    List<String> problems = new ArrayList<>(linkProblems);
    components.forEach(component -> problems.addAll(component.problems()));
    return problems;
  }

  /** Returns whether one of the trees has an edge between two nodes. */
  public boolean hasEdge(int one, int other) {
    return trees().values().stream().anyMatch(tree -> tree.hasEdge(id(one), id(other)));
  }

  /** Returns all trees with their edges, for a person: {@code v2 root 4: 0-3 0-4}, and so on. */
  public String treesText() {
    return trees().values().stream()
        .map(tree -> "v" + tree.version() + " root " + tree.root() + ":" + edgesText(tree))
        .collect(Collectors.joining("; "));
  }

  private static String edgesText(CommittedTree tree) {
    return tree.edges().isEmpty()
        ? " no edges"
        : names(tree.edges()).stream().map(edge -> " " + edge).collect(Collectors.joining());
  }

  /** Returns all trees, by the first node of their component. */
  public SortedMap<Integer, CommittedTree> trees() {
    SortedMap<Integer, CommittedTree> trees = new TreeMap<>();
    for (Component component : components) {
      CommittedTree tree = component.tree();
      if (tree != null) {
        trees.put(component.nodes().iterator().next(), tree);
      }
    }
    return trees;
  }
}
