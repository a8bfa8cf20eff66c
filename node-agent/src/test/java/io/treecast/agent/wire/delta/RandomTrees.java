package io.treecast.agent.wire.delta;

import io.treecast.agent.core.message.PeerMessage;
import io.treecast.ghs.ConnectId;
import io.treecast.ghs.Edge;
import io.treecast.ghs.FragmentId;
import io.treecast.ghs.FragmentMap;
import io.treecast.ghs.GhsMessage;
import io.treecast.ghs.LinkWeight;
import io.treecast.ghs.MemberList;
import io.treecast.ghs.NodeId;
import io.treecast.ghs.Rank;
import io.treecast.ghs.Round;
import io.treecast.ghs.Subtree;
import io.treecast.ghs.TreeMessage;
import io.treecast.mst.ChangeCause;
import io.treecast.mst.ChangeHistory;
import io.treecast.mst.CommittedTree;
import io.treecast.mst.CommittedView;
import io.treecast.mst.MstMessage;
import io.treecast.mst.TreeName;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Valid messages of the tree with random values, often extreme ones. Trees and lists are often
 * those of an earlier message with a few changes, as they are in a cluster.
 */
public final class RandomTrees {
  private static final int KINDS = 14;
  private static final long[] EXTREMES = {
    0, 1, 127, 128, Integer.MAX_VALUE, Long.MAX_VALUE, -1, Long.MIN_VALUE
  };
  private static final List<ChangeCause> CAUSES = List.copyOf(EnumSet.allOf(ChangeCause.class));

  private final Random random;
  private final List<NodeId> nodes = new ArrayList<>();

  /** The views that the cluster committed lately. */
  private final List<CommittedView> trees = new ArrayList<>();

  public RandomTrees(Random random) {
    this.random = random;
    int size = 2 + random.nextInt(40);
    boolean hasLongNames = random.nextInt(10) == 0;
    for (int i = 0; i < size; i++) {
      nodes.add(NodeId.of((hasLongNames ? "n".repeat(60) : "h") + i));
    }
    Collections.shuffle(nodes, random);
  }

  /** One of each kind. */
  public List<PeerMessage> oneOfEachKind() {
    List<PeerMessage> all = new ArrayList<>();
    for (int kind = 0; kind < KINDS; kind++) {
      all.add(new PeerMessage.Tree(ofKind(kind)));
    }
    return all;
  }

  /** One of any kind; every third is a commit. */
  public TreeMessage next() {
    return random.nextInt(3) == 0 ? commit() : ofKind(random.nextInt(KINDS));
  }

  private TreeMessage ofKind(int kind) {
    return switch (kind) {
      case 0 -> new GhsMessage.Hello(fragment());
      case 1 ->
          new GhsMessage.Initiate(connectId(), round(), MemberList.of(someNodes()), suspects());
      case 2 -> report();
      case 3 -> new GhsMessage.ChangeRoot(round(), map(), any());
      case 4 -> new GhsMessage.Connect(connectId(), fragment(), weight(), map(), any());
      case 5 -> new GhsMessage.Nack(connectId());
      case 6 -> new GhsMessage.Cancel(connectId());
      case 7 -> new GhsMessage.Decline(connectId());
      case 8 -> commit();
      case 9 -> new MstMessage.Cut(connectId());
      case 10 -> {
        LinkWeight edge = weight();
        yield new MstMessage.Failure(
            fragment(),
            new Edge(edge.low(), edge.high()),
            random.nextBoolean() ? null : random.nextBoolean() ? edge.low() : edge.high());
      }
      case 11 -> new GhsMessage.Wake(round());
      case 12 -> new MstMessage.CutOrder(round(), node(), weight());
      case 13 -> new MstMessage.Refuse(round(), node(), weight(), weight());
      default -> throw new IllegalArgumentException("kind " + kind);
    };
  }

  private MstMessage.Commit commit() {
    return new MstMessage.Commit(connectId(), view(), random.nextBoolean());
  }

  /** A tree that nobody has seen, often much like one before; or one before, in another round. */
  private CommittedView view() {
    CommittedView kept = random.nextInt(4) == 0 ? earlier() : null;
    if (kept != null) {
      NodeId root = kept.member(random.nextInt(kept.size()));
      CommittedView again = new CommittedView(round(), root, kept.tree(), causes());
      trees.add(again);
      return again;
    }
    List<LinkWeight> edges = treeEdges();
    NodeId root = edges.isEmpty() ? node() : edges.get(random.nextInt(edges.size())).low();
    long version = 1 + (random.nextBoolean() ? trees.size() : count() / 2);
    CommittedView view =
        new CommittedView(
            round(), new CommittedTree(version, root, random.nextLong(), edges), causes());
    trees.add(view);
    return view;
  }

  private @Nullable CommittedView earlier() {
    if (trees.isEmpty() || random.nextInt(8) == 0) {
      return null;
    }
    int back = random.nextInt(4) == 0 ? random.nextInt(trees.size()) : 0;
    return trees.get(trees.size() - 1 - back);
  }

  /** Returns the edges of one tree. */
  private List<LinkWeight> treeEdges() {
    CommittedView like = earlier();
    List<LinkWeight> candidates = new ArrayList<>(like == null ? List.of() : like.tree().edges());
    for (int changes = random.nextInt(4); changes > 0 && !candidates.isEmpty(); changes--) {
      LinkWeight changed = candidates.remove(random.nextInt(candidates.size()));
      if (random.nextBoolean()) {
        candidates.add(new LinkWeight(positive(), changed.low(), changed.high()));
      }
    }
    int added = like == null ? random.nextInt(nodes.size()) : random.nextInt(4);
    for (int i = 0; i < added; i++) {
      candidates.add(weight());
    }
    return largestTreeOf(candidates);
  }

  /** Drops what closes a cycle, then what is not connected with the first edge. */
  private static List<LinkWeight> largestTreeOf(List<LinkWeight> candidates) {
    Map<NodeId, Integer> componentOf = new HashMap<>();
    List<LinkWeight> forest = new ArrayList<>();
    for (LinkWeight edge : candidates) {
      int next = componentOf.size();
      int one = componentOf.computeIfAbsent(edge.low(), id -> next);
      int other = componentOf.computeIfAbsent(edge.high(), id -> next + 1);
      if (one != other) {
        componentOf.replaceAll((id, component) -> component == other ? one : component);
        forest.add(edge);
      }
    }
    Integer kept = forest.isEmpty() ? null : componentOf.get(forest.get(0).low());
    return forest.stream()
        .filter(edge -> Objects.equals(componentOf.get(edge.low()), kept))
        .toList();
  }

  private List<NodeId> someNodes() {
    CommittedView like = earlier();
    List<NodeId> some = new ArrayList<>(like == null ? List.of() : like.tree().members());
    if (random.nextBoolean()) {
      some.removeIf(node -> random.nextInt(10) == 0);
    }
    for (int i = random.nextInt(4); i >= (some.isEmpty() ? 0 : 1); i--) {
      some.add(node());
    }
    Collections.shuffle(some, random);
    return some;
  }

  /** Returns mostly a tree, sometimes a graph that is not a tree. */
  private FragmentMap map() {
    List<LinkWeight> edges = new ArrayList<>(treeEdges());
    List<NodeId> members = new ArrayList<>();
    edges.forEach(edge -> members.addAll(List.of(edge.low(), edge.high())));
    if (random.nextInt(5) == 0 && !edges.isEmpty()) {
      edges.remove(random.nextInt(edges.size()));
    }
    if (members.isEmpty() || random.nextInt(5) == 0) {
      members.add(node());
    }
    Collections.shuffle(members, random);
    return FragmentMap.of(MemberList.of(members), edges, history());
  }

  private SortedSet<NodeId> suspects() {
    return random.nextBoolean() ? new TreeSet<>() : new TreeSet<>(someNodes());
  }

  private GhsMessage.Report report() {
    GhsMessage.OutgoingEdge best = null;
    if (random.nextBoolean()) {
      LinkWeight link = weight();
      best = new GhsMessage.OutgoingEdge(link, random.nextBoolean() ? link.low() : link.high());
    }
    return new GhsMessage.Report(round(), best, echo(), any(), random.nextInt(4) == 0, history());
  }

  /** Below any node of a tree, or above it; with somebody in it twice, now and then. */
  private Subtree echo() {
    List<LinkWeight> edges = treeEdges();
    if (edges.isEmpty()) {
      LinkWeight parentEdge = weight();
      return new Subtree(parentEdge.low(), parentEdge, List.of());
    }
    Map<NodeId, List<LinkWeight>> incident = new HashMap<>();
    for (LinkWeight edge : edges) {
      incident.computeIfAbsent(edge.low(), id -> new ArrayList<>()).add(edge);
      incident.computeIfAbsent(edge.high(), id -> new ArrayList<>()).add(edge);
    }
    LinkWeight above = edges.get(random.nextInt(edges.size()));
    NodeId top = random.nextBoolean() ? above.low() : above.high();
    return below(top, random.nextInt(10) == 0 ? null : above, above, incident);
  }

  private Subtree below(
      NodeId top,
      @Nullable LinkWeight parentEdge,
      LinkWeight cameOver,
      Map<NodeId, List<LinkWeight>> incident) {
    List<Subtree> children = new ArrayList<>();
    for (LinkWeight edge : incident.getOrDefault(top, List.of())) {
      if (!edge.equals(cameOver)) {
        Subtree child = below(edge.opposite(top), edge, edge, incident);
        children.add(child);
        if (random.nextInt(40) == 0) {
          LinkWeight otherLife = new LinkWeight(positive(), edge.low(), edge.high());
          children.add(new Subtree(child.node(), otherLife, List.of()));
        }
      }
    }
    return new Subtree(top, parentEdge, children);
  }

  private Round round() {
    CommittedView like = earlier();
    if (like != null && random.nextInt(3) > 0) {
      Round round = like.round();
      return random.nextBoolean() ? round : new Round(round.fragment(), any());
    }
    return new Round(fragment(), any());
  }

  private FragmentId fragment() {
    CommittedView like = earlier();
    if (like != null && random.nextBoolean()) {
      return like.round().fragment();
    }
    return new FragmentId(new Rank(count(), random.nextInt(32)), node(), any(), any());
  }

  private ConnectId connectId() {
    return new ConnectId(node(), any(), any());
  }

  private ChangeHistory history() {
    CommittedView like = earlier();
    if (like != null && random.nextBoolean()) {
      TreeName common = like.tree().name();
      return new ChangeHistory(common.version(), common, causes());
    }
    long version = count();
    TreeName common = random.nextBoolean() ? null : new TreeName(version, node(), any());
    return new ChangeHistory(version, common, causes());
  }

  private Set<ChangeCause> causes() {
    Set<ChangeCause> causes = EnumSet.noneOf(ChangeCause.class);
    CAUSES.stream().filter(cause -> random.nextInt(3) == 0).forEach(causes::add);
    return causes;
  }

  private LinkWeight weight() {
    NodeId one = node();
    NodeId other = node();
    return one.equals(other) ? weight() : LinkWeight.between(one, other, positive());
  }

  private NodeId node() {
    return nodes.get(random.nextInt(nodes.size()));
  }

  private long any() {
    return random.nextBoolean() ? random.nextInt(10) : EXTREMES[random.nextInt(EXTREMES.length)];
  }

  private long positive() {
    long value = any();
    return value < 1 ? 1 + random.nextInt(1_000_000) : value;
  }

  private long count() {
    return random.nextInt(10) == 0 ? NumberedValues.MAX_COUNT : random.nextInt(1_000);
  }
}
