package io.treecast.collectives.broadcast;

import io.treecast.collectives.broadcast.message.Topic;
import io.treecast.ghs.NodeId;
import io.treecast.mst.CommittedTree;
import java.util.Collection;
import java.util.Objects;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** The distance that a payload has to travel on a tree. */
final class TreeReach {
  private TreeReach() {}

  /** Returns how many edges lie between a publisher and the members that want its messages. */
  static int edges(CommittedTree tree, NodeId publisher, Set<NodeId> interestCounts) {
    return edges(tree, publisher, null, interestCounts);
  }

  /** The edges of the subtree below a node, seen from its predecessor. */
  private static int edges(
      CommittedTree tree, NodeId at, @Nullable NodeId from, Set<NodeId> interestCounts) {
    int edges = 0;
    for (NodeId next : tree.neighbours(at)) {
      if (!Objects.equals(from, next)) {
        int below = edges(tree, next, at, interestCounts);
        edges += below > 0 || interestCounts.contains(next) ? below + 1 : 0;
      }
    }
    return edges;
  }

  /**
   * Checks that a payload goes where it is wanted and nowhere else.
   *
   * @param settle runs until nothing moves
   * @return the number of edges that it crosses
   */
  static int check(
      CommittedTree tree,
      Collection<SimulatedNode> nodes,
      String topic,
      SimulatedNode publisher,
      Published published,
      Runnable settle) {
    Set<NodeId> interestCounts = interestCounts(topic, nodes, tree.root());
    long before = forwardedChunks(nodes);
    if (!publisher.publish(topic, new byte[1], 0, published)) {
      throw new AssertionError(publisher.id + " refuses a byte");
    }
    settle.run();
    int expected = edges(tree, publisher.id, interestCounts);
    if (forwardedChunks(nodes) - before != expected) {
      String way = "'%s' of %s to %s in %s".formatted(topic, publisher.id, interestCounts, tree);
      throw new AssertionError(way + " did not go over " + expected + " edges");
    }
    return expected;
  }

  /**
   * The members that get the topic's messages: those that want them, and the one that orders them.
   */
  private static Set<NodeId> interestCounts(
      String topic, Collection<SimulatedNode> nodes, NodeId root) {
    Set<NodeId> interestCounts = new TreeSet<>();
    for (SimulatedNode node : nodes) {
      if (node.wants(topic)) {
        interestCounts.add(node.id);
      }
      if (node.orderInterest(topic)) {
        interestCounts.add(root);
      }
    }
    return interestCounts;
  }

  /** Returns how often a chunk was sent from one node to another. */
  static long forwardedChunks(Collection<SimulatedNode> nodes) {
    return nodes.stream().mapToLong(node -> node.relay.counters().forwardedChunks()).sum();
  }

  /** Checks that each piece of an upload goes to each other member once, along whatever tree. */
  static void checkUpload(
      SimulatedNode from,
      Collection<SimulatedNode> nodes,
      Random random,
      Published published,
      Runnable finish) {
    long before = forwardedChunks(nodes);
    if (!from.beginUpload(Topic.DEFAULT, 1, 0, random, published)) {
      throw new AssertionError("an upload of a byte is refused");
    }
    finish.run();
    long forwarded = forwardedChunks(nodes) - before;
    int others = nodes.size() - 1;
    if (others > 0 && forwarded % others != 0) {
      throw new AssertionError(others + " others were sent " + forwarded + " pieces of an upload");
    }
  }
}
