package io.treecast.mst;

import io.treecast.ghs.ConnectId;
import io.treecast.ghs.Edge;
import io.treecast.ghs.GhsNode;
import io.treecast.ghs.NodeId;
import io.treecast.mst.MstMessage.Cut;
import io.treecast.mst.MstMessage.Failure;
import org.jspecify.annotations.Nullable;

/**
 * The reaction of a fragment to lost and cut tree edges. Both sides become fragments of a new
 * epoch: the lower side at once, the upper side when the announcement reaches its root.
 */
final class Repair {
  private final GhsNode ghs;
  private final CauseLog causes;
  private final AdaptiveTree node;

  Repair(GhsNode ghs, CauseLog causes, AdaptiveTree node) {
    this.ghs = ghs;
    this.causes = causes;
    this.node = node;
  }

  /** Cuts the edge to the parent, on purpose. It stays a candidate at its present weight. */
  void cutParent(ChangeCause cause) {
    NodeId parent = ghs.parent();
    ConnectId edge = ghs.parentEdge();
    if (parent == null || edge == null) {
      throw new IllegalStateException(ghs.self() + " is a root and has no edge to cut");
    }
    causes.note(cause);
    node.send(parent, new Cut(edge));
    ghs.becomeRoot();
  }

  /** Cuts the edge to a child, because it became heavier. */
  void cutChild(NodeId child) {
    ConnectId edge = ghs.children().get(child);
    if (edge == null) {
      throw new IllegalStateException(child + " is not a child of " + ghs.self());
    }
    causes.note(ChangeCause.TREE_EDGE_WORSENED);
    node.send(child, new Cut(edge));
    childLost(child);
  }

  /** A neighbour has cut the edge. The message is void if it names an older edge. */
  void onCut(NodeId peer, Cut message) {
    if (ghs.isParent(peer)) {
      if (message.edge().equals(ghs.parentEdge())) {
        ghs.becomeRoot();
      }
    } else if (message.edge().equals(ghs.children().get(peer))) {
      childLost(peer);
    }
  }

  /** The edge to a child is gone. */
  void childLost(NodeId child) {
    ghs.removeChild(child);
    lost(Edge.between(ghs.self(), child));
  }

  /**
   * The fragment has lost an edge and the part behind it. The root founds a new fragment of the
   * rest; other nodes report the loss to their parent.
   */
  void lost(Edge edge) {
    NodeId parent = ghs.parent();
    if (parent == null) {
      ghs.becomeRootWithout(edge);
    } else {
      ghs.noteLost(edge);
      node.send(parent, new Failure(ghs.round().fragment(), edge, suspectOf(edge)));
    }
  }

  private @Nullable NodeId suspectOf(Edge edge) {
    if (ghs.isSuspect(edge.low())) {
      return edge.low();
    }
    return ghs.isSuspect(edge.high()) ? edge.high() : null;
  }

  /**
   * Handles a Failure from any tree neighbour, because the root may be moving. Ignores it if it
   * names an older fragment.
   */
  void onFailure(Failure message) {
    if (message.fragment().equals(ghs.round().fragment())) {
      if (message.suspect() != null) {
        ghs.suspect(message.suspect());
      }
      lost(message.edge());
    }
  }
}
