package io.treecast.agent.wire.delta;

import io.treecast.agent.core.message.Membership;
import io.treecast.agent.wire.value.WireViolation;
import io.treecast.ghs.LinkWeight;
import io.treecast.ghs.NodeId;
import io.treecast.ghs.Subtree;
import io.treecast.mst.CommittedView;
import io.treecast.proto.v1.Echo;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Codec of a search's echo. Children are ordered by id, so the top and the edges determine the
 * echo, unless a node has answered twice; then the answers are encoded in preorder. The code is
 * iterative, since trees are deep.
 */
final class EchoCodec {
  /** The maximum number of answers in an echo, in which a node may appear twice. */
  static final int MAX_ANSWERS = 2 * Membership.MAX_MEMBERS;

  private static final int NUMBERS_PER_ANSWER = 3;

  private final NumberedValues values;
  private final FragmentTreeCodec trees;

  EchoCodec(NumberedValues values) {
    this.values = values;
    this.trees = new FragmentTreeCodec(values.table());
  }

  /**
   * A decoded answer of an echo.
   *
   * @param parent the index of the parent's answer; -1 for the top
   */
  private record Answer(NodeId node, int parent, @Nullable LinkWeight parentEdge) {}

  /** An answer with children that are not decoded yet. */
  private static final class Incomplete {
    private final int place;
    private long missing;

    Incomplete(int place, long missing) {
      this.place = place;
      this.missing = missing;
    }
  }

  Echo encode(Subtree echo) {
    List<Subtree> flat = echo.flat();
    Set<NodeId> nodes = new HashSet<>();
    flat.forEach(part -> nodes.add(part.node()));
    Echo.Builder encoded = Echo.newBuilder();
    LinkWeight parentEdge = echo.parentEdge();
    if (parentEdge == null) {
      encoded.setIsWholeFragment(true);
    } else if (!parentEdge.equals(parentEdgeInBase(echo.node()))) {
      encoded.setParentEdge(values.encode(parentEdge));
    }
    if (nodes.size() == flat.size()) {
      encodeTree(echo, flat, nodes, encoded);
    } else {
      encodeAnswers(flat, encoded);
    }
    return encoded.build();
  }

  private @Nullable LinkWeight parentEdgeInBase(NodeId node) {
    CommittedView base = values.table().base();
    return base == null || !base.hasMember(node) ? null : base.parentEdge(node);
  }

  private void encodeTree(
      Subtree echo, List<Subtree> flat, Set<NodeId> nodes, Echo.Builder encoded) {
    List<LinkWeight> edges = new ArrayList<>();
    for (Subtree part : flat.subList(1, flat.size())) {
      LinkWeight edge = part.parentEdge();
      if (edge != null) {
        edges.add(edge);
      }
    }
    int topNumber = values.number(echo.node());
    long before = nodes.stream().filter(node -> values.number(node) < topNumber).count();
    encoded.setTop((int) before).setTree(trees.encode(nodes, edges));
  }

  private void encodeAnswers(List<Subtree> flat, Echo.Builder encoded) {
    for (Subtree part : flat) {
      LinkWeight edge = part.parentEdge();
      boolean isTop = encoded.getAnswersCount() == 0;
      encoded
          .addAnswers(values.number(part.node()))
          .addAnswers(part.children().size())
          .addAnswers(isTop || edge == null ? 0 : edge.cost());
    }
  }

  /**
   * Returns the echo.
   *
   * @throws WireViolation if there are too many answers, or they are not one tree
   */
  Subtree decode(Echo echo) throws WireViolation {
    List<Answer> preorder =
        echo.getAnswersCount() == 0 ? preorderOfTree(echo) : preorderOfAnswers(echo);
    List<List<Subtree>> children = new ArrayList<>(preorder.size());
    preorder.forEach(answer -> children.add(new ArrayList<>()));
    for (int i = preorder.size() - 1; i > 0; i--) {
      Answer answer = preorder.get(i);
      children.get(answer.parent).add(new Subtree(answer.node, answer.parentEdge, children.get(i)));
    }
    Answer top = preorder.get(0);
    return new Subtree(top.node, top.parentEdge, children.get(0));
  }

  private @Nullable LinkWeight parentEdge(Echo echo, NodeId top) throws WireViolation {
    if (echo.getIsWholeFragment()) {
      return null;
    }
    if (echo.hasParentEdge()) {
      return values.decode(echo.getParentEdge());
    }
    LinkWeight known = parentEdgeInBase(top);
    if (known == null) {
      throw new WireViolation("echo of " + top + " without the edge to its parent");
    }
    return known;
  }

  private List<Answer> preorderOfTree(Echo echo) throws WireViolation {
    FragmentTreeCodec.Decoded tree = trees.decode(echo.getTree());
    List<NodeId> members = tree.members();
    if (echo.getTop() < 0 || echo.getTop() >= members.size()) {
      throw new WireViolation(
          "top " + Integer.toUnsignedString(echo.getTop()) + " of " + members.size() + " members");
    }
    Map<NodeId, List<LinkWeight>> incident = new HashMap<>();
    members.forEach(node -> incident.put(node, new ArrayList<>()));
    for (LinkWeight edge : tree.edges()) {
      for (NodeId end : List.of(edge.low(), edge.high())) {
        List<LinkWeight> edges = incident.get(end);
        if (edges == null) {
          throw new WireViolation("echo with the edge " + edge + " to a node outside of it");
        }
        edges.add(edge);
      }
    }
    if (tree.edges().size() != members.size() - 1) {
      throw new WireViolation(notOneTree(tree));
    }
    NodeId top = members.get(echo.getTop());
    List<Answer> preorder = reached(new Answer(top, -1, parentEdge(echo, top)), incident);
    if (preorder.size() != members.size()) {
      throw new WireViolation(notOneTree(tree));
    }
    return preorder;
  }

  private static String notOneTree(FragmentTreeCodec.Decoded tree) {
    return "echo of "
        + tree.members().size()
        + " members and "
        + tree.edges().size()
        + " edges, which are not one tree";
  }

  /**
   * Returns the answers that the edges reach from the top, parents before children. Visits each
   * node once, so it ends even if the edges have cycles.
   */
  private static List<Answer> reached(Answer top, Map<NodeId, List<LinkWeight>> incident) {
    Set<NodeId> seen = new HashSet<>(Set.of(top.node));
    List<Answer> reached = new ArrayList<>(List.of(top));
    for (int i = 0; i < reached.size(); i++) {
      NodeId node = reached.get(i).node;
      for (LinkWeight edge : incident.getOrDefault(node, List.of())) {
        NodeId next = edge.opposite(node);
        if (seen.add(next)) {
          reached.add(new Answer(next, i, edge));
        }
      }
    }
    return reached;
  }

  private List<Answer> preorderOfAnswers(Echo echo) throws WireViolation {
    int size = echo.getAnswersCount() / NUMBERS_PER_ANSWER;
    if (echo.getAnswersCount() % NUMBERS_PER_ANSWER != 0 || size > MAX_ANSWERS) {
      throw new WireViolation(
          echo.getAnswersCount()
              + " numbers, where each answer takes three; allowed are "
              + MAX_ANSWERS
              + " answers");
    }
    List<Answer> preorder = new ArrayList<>(size);
    Deque<Incomplete> above = new ArrayDeque<>();
    for (int i = 0; i < size; i++) {
      NodeId node = values.table().node(echo.getAnswers(i * NUMBERS_PER_ANSWER));
      long children = echo.getAnswers(i * NUMBERS_PER_ANSWER + 1);
      long cost = echo.getAnswers(i * NUMBERS_PER_ANSWER + 2);
      if (i == 0) {
        preorder.add(new Answer(node, -1, parentEdge(echo, node)));
      } else {
        Incomplete parent = above.peek();
        if (parent == null) {
          throw new WireViolation("echo with an answer of " + node + " without a parent");
        }
        NodeId parentNode = preorder.get(parent.place).node;
        preorder.add(new Answer(node, parent.place, LinkWeight.between(parentNode, node, cost)));
        parent.missing--;
        if (parent.missing == 0) {
          above.pop();
        }
      }
      if (children < 0 || children > size) {
        throw new WireViolation(
            Long.toUnsignedString(children) + " answers below " + node + ", of " + size);
      }
      if (children > 0) {
        above.push(new Incomplete(i, children));
      }
    }
    if (!above.isEmpty()) {
      throw new WireViolation("echo with missing answers");
    }
    return preorder;
  }
}
