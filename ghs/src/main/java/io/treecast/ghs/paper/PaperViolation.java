package io.treecast.ghs.paper;

import io.treecast.ghs.NodeId;

/**
 * A neighbour sent a message that no correct neighbour sends to a node in this state. The node that
 * received it is unchanged. The owner of the link should close it, since later messages over it
 * cannot be trusted.
 */
public final class PaperViolation extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final NodeId neighbour;

  PaperViolation(NodeId self, NodeId neighbour, PaperMessage message, String reason) {
    super(
        "node %s refused %s from %s: %s; close the link to %s"
            .formatted(self, message.kind().label(), neighbour, reason, neighbour));
    this.neighbour = neighbour;
  }

  /** The node that sent the message. */
  public NodeId neighbour() {
    return neighbour;
  }
}
