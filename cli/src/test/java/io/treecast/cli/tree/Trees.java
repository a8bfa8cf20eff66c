package io.treecast.cli.tree;

import io.treecast.ghs.LinkWeight;
import io.treecast.ghs.NodeId;
import io.treecast.mst.CommittedTree;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/** Trees to draw. */
public final class Trees {
  private Trees() {}

  /** Returns the minimum spanning tree of the reference network: six sites of four. */
  static CommittedTree reference() {
    List<LinkWeight> edges = new ArrayList<>();
    for (int node = 0; node < 24; node++) {
      if (node % 4 != 0) {
        edges.add(edge(node - node % 4, node, 200));
      }
    }
    edges.add(edge(0, 12, 14_900));
    edges.add(edge(12, 20, 35_100));
    edges.add(edge(12, 16, 331_000));
    edges.add(edge(4, 16, 13_500));
    edges.add(edge(4, 8, 364_100));
    return tree(12, edges);
  }

  /**
   * Returns a tree in which each node is attached to a random one of the latest {@code reach}
   * earlier nodes.
   */
  static CommittedTree random(int nodes, int reach, long seed) {
    Random random = new Random(seed);
    List<LinkWeight> edges = new ArrayList<>();
    for (int node = 1; node < nodes; node++) {
      int parent = node - 1 - random.nextInt(Math.min(node, reach));
      edges.add(edge(parent, node, 1 + random.nextInt(1_000_000)));
    }
    return tree(0, edges);
  }

  static CommittedTree tree(Object root, List<LinkWeight> edges) {
    return new CommittedTree(1, NodeId.of(root.toString()), edges);
  }

  static LinkWeight edge(Object one, Object other, long rttMicros) {
    return LinkWeight.between(NodeId.of(one.toString()), NodeId.of(other.toString()), rttMicros);
  }
}
