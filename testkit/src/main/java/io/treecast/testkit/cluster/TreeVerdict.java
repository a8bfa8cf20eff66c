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
 * Verdict on the committed trees of a cluster. In each component of the present network, all
 * members must have committed the same tree of exactly these members, which two independent oracles
 * confirm as the minimum spanning tree. Paused agents are not members.
 *
 * @param components one verdict for each component, in the order of their first nodes
 * @param linkProblems differences between the links as agents see them and the network; empty if
 *     there are none
 */
public record TreeVerdict(List<Component> components, List<String> linkProblems) {
  private static final List<MinimumSpanningForest> ORACLES =
      List.of(new KruskalByJGraphT(), new Boruvka());

  /**
   * The verdict on one component.
   *
   * @param nodes its nodes
   * @param tree the first committed tree among them; null without one
   * @param minimal whether the tree is minimal for the weights on which both ends of each link
   *     agree, without problems
   * @param minimalOnNetwork whether it is minimal for the present round trips of the network;
   *     agents ignore changes below a threshold
   * @param problems the problems, for people; empty if there are none
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

  /** Judges the present trees by latency. */
  public static TreeVerdict of(Cluster cluster) {
    return of(cluster, TreeMetric.LATENCY);
  }

  /** Judges the present trees by one metric. */
  public static TreeVerdict of(Cluster cluster, TreeMetric metric) {
    SortedMap<Integer, AgentSnapshot> unpaused = cluster.unpaused();
    UsableLinks usable = new UsableLinks(unpaused, cluster.network(), metric);
    List<Component> components = new ArrayList<>();
    for (Set<Integer> nodes : usable.components()) {
      components.add(judge(nodes, unpaused, usable, metric));
    }
    return new TreeVerdict(components, usable.problems());
  }

  /**
   * Returns whether the trees by latency are {@link #minimal}, for frequent checks: it stops at the
   * first problem and ignores the round trips of the network.
   *
   * @param unpaused the state of each agent that is not paused, by node
   * @param network the present network
   */
  public static boolean isMinimal(
      SortedMap<Integer, AgentSnapshot> unpaused, NetworkConditions network) {
    UsableLinks usable = new UsableLinks(unpaused, network, TreeMetric.LATENCY);
    if (!usable.problems().isEmpty()) {
      return false;
    }
    for (Set<Integer> nodes : usable.components()) {
      List<String> problems = new ArrayList<>();
      CommittedTree tree = agreed(nodes, unpaused, TreeMetric.LATENCY, problems);
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
      SortedMap<Integer, AgentSnapshot> unpaused,
      UsableLinks usable,
      TreeMetric metric) {
    List<String> problems = new ArrayList<>();
    CommittedTree tree = agreed(nodes, unpaused, metric, problems);
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

  /**
   * Returns the first committed tree of these nodes, and adds differences to the problems; null if
   * no node has a tree.
   */
  private static @Nullable CommittedTree agreed(
      Set<Integer> nodes,
      SortedMap<Integer, AgentSnapshot> unpaused,
      TreeMetric metric,
      List<String> problems) {
    CommittedTree tree = null;
    for (int node : nodes) {
      CommittedTree own = tree(unpaused.get(node), metric);
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

  /** Returns the agreed weights of the links of these nodes. */
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
   * Returns edges by their ends alone, because an edge keeps its committed weight after its link
   * has become lighter.
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

  /** Returns whether the tree of every component is minimal and there are no problems. */
  public boolean minimal() {
    return linkProblems.isEmpty() && components.stream().allMatch(Component::minimal);
  }

  /** Returns the problems of links and components. */
  public List<String> problems() {
    List<String> problems = new ArrayList<>(linkProblems);
    components.forEach(component -> problems.addAll(component.problems()));
    return problems;
  }

  /** Returns whether one of the trees has an edge between two nodes. */
  public boolean hasEdge(int one, int other) {
    return trees().values().stream().anyMatch(tree -> tree.hasEdge(id(one), id(other)));
  }

  /** Returns all trees with their edges, for people, for example {@code v2 root 4: 0-3 0-4}. */
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
