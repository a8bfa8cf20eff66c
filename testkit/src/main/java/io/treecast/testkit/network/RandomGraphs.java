package io.treecast.testkit.network;

import io.treecast.testkit.network.Topology.Link;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;

/** Networks drawn at random: the same seed gives the same network on every machine. */
public final class RandomGraphs {
  /** Longest round trip that is drawn. */
  public static final int MAX_RTT_MICROS = 1_000_000;

  private RandomGraphs() {}

  /**
   * Returns a connected network: a random tree that joins all nodes, and links between pairs drawn
   * evenly until there are enough. Round trips are drawn evenly from 1 us to 1 s.
   *
   * @param nodes how many nodes, 1 to {@link Topology#MAX_NODES}
   * @param degree how many links a node has on average: the network has {@code nodes * degree / 2}
   * @param seed what the network is drawn from
   * @throws IllegalArgumentException if that many links are too few to join the nodes, or more than
   *     there are pairs
   */
  public static Topology sparse(int nodes, int degree, long seed) {
    if (nodes < 1 || nodes > Topology.MAX_NODES) {
      throw new IllegalArgumentException(
          "a random network of " + nodes + " nodes; allowed is 1 to " + Topology.MAX_NODES);
    }
    long count = (long) nodes * degree / 2;
    int least = nodes <= 2 ? nodes - 1 : 2;
    int most = (int) Math.min(nodes - 1, 2L * Topology.MAX_LINKS / nodes);
    if (degree < least || degree > most) {
      throw new IllegalArgumentException(
          "a random network of "
              + nodes
              + " nodes with degree "
              + degree
              + "; allowed is a degree of "
              + least
              + " to "
              + most);
    }
    // This generator's numbers are specified, where others may change with the JDK.
    Random random = new Random(seed);
    int[] order = shuffled(nodes, random);
    List<Link> links = new ArrayList<>((int) count);
    Set<Long> pairs = new HashSet<>();
    for (int i = 1; i < nodes; i++) {
      addLink(order[i], order[random.nextInt(i)], random, links, pairs);
    }
    while (links.size() < count) {
      int one = random.nextInt(nodes);
      int other = random.nextInt(nodes);
      if (one != other) {
        addLink(one, other, random, links, pairs);
      }
    }
    return Topology.of(nodes, links);
  }

  private static void addLink(
      int one, int other, Random random, List<Link> links, Set<Long> pairs) {
    if (pairs.add((long) Math.min(one, other) << 32 | Math.max(one, other))) {
      links.add(Link.between(one, other, 1 + random.nextInt(MAX_RTT_MICROS)));
    }
  }

  private static int[] shuffled(int nodes, Random random) {
    int[] order = new int[nodes];
    for (int i = 0; i < nodes; i++) {
      int at = random.nextInt(i + 1);
      order[i] = order[at];
      order[at] = i;
    }
    return order;
  }
}
