package io.treecast.testkit.network;

import io.treecast.testkit.network.Topology.Link;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;

/** Random networks. A seed gives the same network on every machine. */
public final class RandomGraphs {
  /** Longest random round trip. */
  public static final int MAX_RTT_MICROS = 1_000_000;

  private RandomGraphs() {}

  /**
   * Returns a connected network: a random tree of all nodes, and links between random pairs up to
   * the number required. Round trips are uniform between 1 us and 1 s.
   *
   * @param nodes the number of nodes, 1 to {@link Topology#MAX_NODES}
   * @param degree the average number of links of a node: the network has {@code nodes * degree / 2}
   * @param seed the seed of the random numbers
   * @throws IllegalArgumentException if so many links are too few to connect the nodes, or exceed
   *     the number of pairs
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
          "a random network of %s nodes with degree %s; allowed is a degree of %s to %s"
              .formatted(nodes, degree, least, most));
    }
    // The sequence of this generator is specified; others may change with the JDK.
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
