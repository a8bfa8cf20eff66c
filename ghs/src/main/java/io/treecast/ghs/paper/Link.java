package io.treecast.ghs.paper;

import io.treecast.ghs.LinkWeight;
import io.treecast.ghs.NodeId;

/** One link of a node, with its state. Only {@link Links} changes it. */
final class Link {
  /**
   * The state of a link, SE in the paper. A link leaves {@link #BASIC} at most once and then keeps
   * its state.
   */
  enum State {
    /** Not yet known to be a branch or rejected. */
    BASIC,
    /** An edge of the fragment's tree, or about to become one: a Connect was sent over it. */
    BRANCH,
    /** Joins two nodes of the fragment, but is not an edge of its tree. */
    REJECTED
  }

  private final NodeId neighbour;
  private final LinkWeight weight;
  private State state = State.BASIC;

  Link(NodeId neighbour, LinkWeight weight) {
    this.neighbour = neighbour;
    this.weight = weight;
  }

  NodeId neighbour() {
    return neighbour;
  }

  LinkWeight weight() {
    return weight;
  }

  boolean isBasic() {
    return state == State.BASIC;
  }

  boolean isBranch() {
    return state == State.BRANCH;
  }

  void enter(State next) {
    state = next;
  }

  @Override
  public String toString() {
    return weight + " " + state;
  }
}
