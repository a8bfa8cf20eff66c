package io.treecast.mst;

import io.treecast.ghs.LinkWeight;
import io.treecast.ghs.NodeId;

/**
 * The tree protocol of one node: link events and messages in, messages and commits out. This is the
 * seam between the protocol and everything that carries it; the runtime and the simulator drive the
 * same objects through it.
 *
 * <p>Contract with the driver: calls come from one thread at a time. Between {@link #linkMeasured}
 * and {@link #linkLost} a link delivers each message that the other end sent, once and in order.
 * Both ends of a link are given the same {@link LinkWeight}, and each is given it before the
 * other's first message. Effects happen inside the call that caused them, in the order in which
 * they are to take place.
 */
public interface TreeProtocol {

  /** What the protocol asks of its driver. Must not call back into the protocol. */
  interface Effects {
    /** Send over the link to this neighbour, which is measured and not lost. */
    void send(NodeId neighbour, TreeMessage message);

    /** This node has committed a tree that it is a member of. */
    void committed(CommittedTree tree);
  }

  /** A link is up and both ends agree on its weight. */
  void linkMeasured(LinkWeight weight);

  /** A link is gone, with whatever was under way on it. */
  void linkLost(NodeId neighbour);

  /**
   * A message from a neighbour.
   *
   * @throws TreeViolation if no correct neighbour can have sent it; the protocol's state is
   *     unchanged and the driver ends the link
   */
  void receive(NodeId neighbour, TreeMessage message) throws TreeViolation;

  /** Where the protocol stands. */
  TreeStatus status();
}
