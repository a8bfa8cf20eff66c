package io.treecast.testkit.compare;

import io.treecast.testkit.network.BroadcastTimes;
import io.treecast.testkit.network.Topology;
import io.treecast.testkit.network.Topology.Link;
import java.util.Collection;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * Link-state routing after RFC 2328: a node floods the state of its links to all others, and each
 * computes the minimum spanning tree. A node that receives an advertisement for the first time
 * forwards it over all links on which it has not received it. One way over a link takes half its
 * round trip; processing takes no time.
 *
 * <p>An advertisement takes 24 bytes and 12 for each link (appendix A.4.2). Acknowledgements are
 * not counted, since connections acknowledge. Stateless.
 */
public final class LinkState {
  /** The type of the messages. */
  public static final String ADVERTISEMENT = "LinkState";

  private static final int HEADER_BYTES = 24;
  private static final int LINK_BYTES = 12;

  private LinkState() {}

  /** Returns the cost when all nodes flood their links at once. */
  public static Cost build(Topology network) {
    SortedSet<Integer> origins = new TreeSet<>();
    for (int node = 0; node < network.nodes(); node++) {
      origins.add(node);
    }
    return flood(network, origins);
  }

  /**
   * Returns the cost of changed links: the lower end of each, which measures it, floods its links.
   *
   * @param network the network after the change
   */
  public static Cost change(Topology network, Collection<Link> changed) {
    SortedSet<Integer> origins = new TreeSet<>();
    changed.forEach(link -> origins.add(link.low()));
    return flood(network, origins);
  }

  private static Cost flood(Topology network, SortedSet<Integer> origins) {
    BroadcastTimes times = new BroadcastTimes(network);
    long messages = 0;
    long bytes = 0;
    long lastNanos = 0;
    for (int origin : origins) {
      long copies = copies(network, times.shortestNanos(origin));
      messages += copies;
      bytes += copies * (HEADER_BYTES + (long) LINK_BYTES * network.degree(origin));
      lastNanos = Math.max(lastNanos, times.limitNanos(origin));
    }
    TreeMap<String, Long> byType = new TreeMap<>();
    byType.put(ADVERTISEMENT, messages);
    return new Cost(byType, bytes, lastNanos / 1e6);
  }

  /**
   * Counts the copies of an advertisement: both ends of a link send one, unless the copy of one end
   * arrives before the other end has received the advertisement elsewhere.
   */
  private static long copies(Topology network, long[] atNanos) {
    long copies = 0;
    for (Link link : network.links()) {
      long low = atNanos[link.low()];
      long high = atNanos[link.high()];
      if (low != BroadcastTimes.NOT_REACHED) {
        copies += Math.abs(low - high) >= link.rttMicros() * 500 ? 1 : 2;
      }
    }
    return copies;
  }
}
