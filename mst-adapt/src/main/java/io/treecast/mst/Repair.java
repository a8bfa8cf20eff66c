package io.treecast.mst;

import io.treecast.ghs.NodeId;
import io.treecast.mst.NodeState.Attachment;
import io.treecast.mst.RankedMessage.Cut;
import io.treecast.mst.RankedMessage.Failure;
import io.treecast.mst.RankedMessage.Wake;
import java.util.LinkedHashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Tree edges that are lost or cut, and what a fragment does then. Both sides become fragments of a
 * new epoch: the lower one at once, the upper one when its root has heard of it. Used in the node's
 * thread only.
 */
final class Repair {
  private final NodeState state;
  private final RankedTree node;
  private @Nullable WakeUp lastWake;

  private record WakeUp(Round round, NodeId parent) {}

  Repair(NodeState state, RankedTree node) {
    this.state = state;
    this.node = node;
  }

  /**
   * This node becomes the root of a fragment of its own.
   *
   * @param guess what is probably connected with it: the first search goes out with that list
   */
  void newRoot(FragmentMap guess) {
    state.detach();
    state.foundFragment(state.rank().nextEpoch());
    state.map = guess;
    node.search.start();
  }

  /** The link to the parent is down. */
  void parentLost() {
    newRoot(node.search.ownSubtree());
  }

  /** Cuts off this node, on purpose: the edge stays a candidate at its present weight. */
  void cutParent(ChangeCause cause) {
    Attachment parent = state.parent();
    if (parent == null) {
      throw new IllegalStateException(state.self + " is a root and has no edge to cut");
    }
    state.causes.note(cause);
    state.send(parent.peer(), new Cut(parent.edge()));
    newRoot(node.search.ownSubtree());
  }

  /** Cuts off a child whose edge became heavier. */
  void cutChild(NodeId child) {
    ConnectId edge = state.children.get(child);
    if (edge == null) {
      throw new IllegalStateException(child + " is no child of " + state.self);
    }
    state.causes.note(ChangeCause.TREE_EDGE_WORSENED);
    state.send(child, new Cut(edge));
    childLost(child);
  }

  /** A neighbour has cut the edge. A message about an older edge is void. */
  void onCut(NodeId peer, Cut message) {
    if (state.isParent(peer)) {
      if (state.isParentEdge(message.edge())) {
        newRoot(node.search.ownSubtree());
      }
    } else if (state.isChildEdge(peer, message.edge())) {
      childLost(peer);
    }
  }

  /** The edge to a child is gone. */
  void childLost(NodeId child) {
    state.children.remove(child);
    node.search.exclude(child);
    lost(Edge.between(state.self, child));
  }

  /**
   * The fragment has lost an edge and what is behind it. The root is told, and founds a new
   * fragment of the rest.
   */
  void lost(Edge edge) {
    Attachment parent = state.parent();
    if (parent == null) {
      Set<Edge> lost = new LinkedHashSet<>(state.lostEdges);
      lost.add(edge);
      newRoot(state.map.componentOf(state.self, lost));
    } else {
      state.lostEdges.add(edge);
      state.send(parent.peer(), new Failure(state.fragment(), edge, suspectOf(edge)));
    }
  }

  private @Nullable NodeId suspectOf(Edge edge) {
    if (state.suspects.contains(edge.low())) {
      return edge.low();
    }
    return state.suspects.contains(edge.high()) ? edge.high() : null;
  }

  /** From any tree neighbour, since the root may be moving. An older fragment's is void. */
  void onFailure(Failure message) {
    if (message.fragment().equals(state.fragment())) {
      if (message.suspect() != null) {
        node.search.suspect(message.suspect());
      }
      lost(message.edge());
    }
  }

  /**
   * Asks for another search: something leaves the fragment that the last one may not have seen. A
   * root that cannot begin now does so when it has the result of what it does. Told to each parent
   * once in each round.
   */
  void wake() {
    Attachment parent = state.parent();
    if (parent != null) {
      WakeUp wake = new WakeUp(state.round(), parent.peer());
      if (!wake.equals(lastWake)) {
        lastWake = wake;
        state.send(parent.peer(), new Wake(state.round()));
      }
    } else if (node.joining.isPending()) {
      state.roundRequested = true;
      node.joining.cancel();
    } else if (node.search.isUnderWay()) {
      state.roundRequested = true;
    } else {
      node.search.start();
    }
  }

  boolean hasWokenInThisRound() {
    return lastWake != null && lastWake.round().equals(state.round());
  }

  /**
   * Void if a newer search is under way or over: who asked had not seen that yet, so he answers it
   * with what he asked for.
   */
  void onWake(Wake message) {
    if (message.round().equals(state.round())) {
      wake();
    }
  }
}
