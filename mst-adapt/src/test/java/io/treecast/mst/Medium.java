package io.treecast.mst;

import java.util.List;

/** Decides which packet is delivered next. Packets from a node to a node stay in order. */
interface Medium {
  /** Accepts a packet. News of the network itself travels without the delay of the link. */
  void put(Packet packet);

  boolean isEmpty();

  /** The packet to deliver now. */
  Packet take();

  /**
   * Ends the session between two nodes.
   *
   * @return the packets lost with it
   */
  List<Packet> breakSession(int one, int other);

  /**
   * Removes all packets on their way to a node that has crashed.
   *
   * @return these packets
   */
  List<Packet> clearTo(int node);

  /** The time in microseconds, or the number of deliveries if the medium has no time. */
  long now();
}
