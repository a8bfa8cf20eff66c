package io.treecast.ghs;

/**
 * What a node knows of one of its links. Changed by {@link Links} only, in the thread of the node.
 */
final class Link {
  /**
   * The state of a link (GHS 1983, section 2). A link leaves {@link #BASIC} at most once and then
   * keeps its state.
   */
  enum State {
    /** Neither of the others yet. */
    BASIC,
    /** In the tree of the fragment, or asked to be: a Connect was sent over it. */
    BRANCH,
    /** Joins two nodes of the fragment outside of its tree. */
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
