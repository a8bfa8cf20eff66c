package io.treecast.collectives;

import io.treecast.ghs.NodeId;
import io.treecast.mst.CommittedTree;
import java.util.Collection;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** How far a payload has to go on a tree. */
final class TreeReach {
  private TreeReach() {}

  /** How many edges lie between a publisher and those who want what it publishes. */
  static int edges(CommittedTree tree, NodeId publisher, Set<NodeId> wanting) {
    return edges(tree, publisher, null, wanting);
  }

  /** Of the subtree below a node, seen from the one that it was reached from. */
  private static int edges(
      CommittedTree tree, NodeId at, @Nullable NodeId from, Set<NodeId> wanting) {
    int edges = 0;
    for (NodeId next : tree.neighbours(at)) {
      if (!Objects.equals(from, next)) {
        int below = edges(tree, next, at, wanting);
        edges += below > 0 || wanting.contains(next) ? below + 1 : 0;
      }
    }
    return edges;
  }

  /** Who is sent what is published on the topic: those who want it, and who gives it an order. */
  static Set<NodeId> wanting(String topic, Collection<SimulatedNode> nodes, NodeId root) {
    Set<NodeId> wanting = new TreeSet<>();
    for (SimulatedNode node : nodes) {
      if (node.wants(topic)) {
        wanting.add(node.id);
      }
      if (node.wantsOrder(topic)) {
        wanting.add(root);
      }
    }
    return wanting;
  }

  /** How often a chunk was sent from one node to another. */
  static long forwardedChunks(Collection<SimulatedNode> nodes) {
    return nodes.stream().mapToLong(node -> node.relay.counters().forwardedChunks()).sum();
  }
}
