package io.treecast.mst;

import io.treecast.ghs.LinkWeight;
import io.treecast.ghs.TreeMessage;

/**
 * A packet that a simulated network delivers from a node to a node, in a session of their link.
 *
 * @param from the index of the sender; for news of the network itself, of the link's other end
 * @param to the index of the receiver
 */
record Packet(int from, int to, long session, Content content) {

  /** The content of a packet. */
  sealed interface Content {
    /** Whether it is lost with the session. Otherwise it is news that the network itself brings. */
    default boolean isOnTheWire() {
      return false;
    }
  }

  /** A message of the protocol. */
  record Protocol(TreeMessage message) implements Content {
    @Override
    public boolean isOnTheWire() {
      return true;
    }
  }

  /** The driver of the link's owner tells the other end a new weight. */
  record WeightUpdate(LinkWeight weight) implements Content {
    @Override
    public boolean isOnTheWire() {
      return true;
    }
  }

  /** The owner has measured a new weight. */
  record WeightMeasured(LinkWeight weight) implements Content {}

  /**
   * The link is up.
   *
   * @param dwellMicros how long the driver keeps the link, and the packets that arrive over it,
   *     from the node
   */
  record Up(LinkWeight weight, long dwellMicros) implements Content {}

  /**
   * The session is over.
   *
   * @param hasDied whether the driver considers the other end dead
   */
  record Down(boolean hasDied) implements Content {}

  @Override
  public String toString() {
    return from + " -> " + to + " (" + session + ") " + content;
  }
}
