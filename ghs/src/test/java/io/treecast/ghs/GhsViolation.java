package io.treecast.ghs;

/**
 * A neighbour sent what no correct neighbour can send in this state. The node that received it is
 * unchanged; whoever owns the link should close it, since nothing that follows can be trusted.
 */
public final class GhsViolation extends RuntimeException {
  private final NodeId neighbour;

  GhsViolation(NodeId self, NodeId neighbour, GhsMessage message, String reason) {
    super(
        "node "
            + self
            + " refused "
            + message.getClass().getSimpleName()
            + " from "
            + neighbour
            + ": "
            + reason
            + "; close the link to "
            + neighbour);
    this.neighbour = neighbour;
  }

  /** Who sent it. */
  public NodeId neighbour() {
    return neighbour;
  }
}
