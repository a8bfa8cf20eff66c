package io.treecast.agent.core;

import io.treecast.ghs.LinkWeight;
import io.treecast.ghs.NodeId;
import io.treecast.monitor.LinkProbe;
import org.jspecify.annotations.Nullable;

/**
 * One session of the link to a neighbour: from its opening to its loss. Owned by the agent's
 * thread.
 */
final class Link {
  final NodeId peer;
  final String address;
  final long incarnation;
  final long session;
  final Connection<PeerMessage> control;

  /** Where this end dialed the other; null if the other end dialed. */
  final @Nullable String dialedAddress;

  /** Present at the owner, the end with the lower id. */
  @Nullable LinkProbe probe;

  /** Present once both ends agree on it. */
  @Nullable LinkWeight weight;

  /** Counts the weights that the owner told the other end. */
  long weightVersion;

  /** The owner has told the other end that it changes the weight no more: that one may be awake. */
  boolean weightFinal;

  /** Present while a data stream is attached. */
  @Nullable Connection<DataMessage> data;

  /** Whether both ends have named the session on the data stream. */
  boolean dataAttached;

  Link(
      PeerMessage.Hello peer,
      long session,
      Connection<PeerMessage> control,
      @Nullable String dialedAddress) {
    this.peer = peer.node();
    this.address = peer.address();
    this.incarnation = peer.incarnation();
    this.session = session;
    this.control = control;
    this.dialedAddress = dialedAddress;
  }
}
