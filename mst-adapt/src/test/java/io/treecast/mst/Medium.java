package io.treecast.mst;

import java.util.List;

/** Decides which packet is delivered next. Packets from a node to a node stay in order. */
interface Medium {
  /** Takes a packet. News of the network itself travels without the link's delay. */
  void put(Packet packet);

  boolean isEmpty();

  /** The packet to deliver now. */
  Packet take();

  /** The session between two nodes is over; answers with what was lost with it. */
  List<Packet> breakSession(int one, int other);

  /** A node has crashed; answers with what was on its way to it, all of which is lost. */
  List<Packet> clearTo(int node);

  /** The time, in microseconds, or the number of deliveries where there is no time. */
  long now();
}
