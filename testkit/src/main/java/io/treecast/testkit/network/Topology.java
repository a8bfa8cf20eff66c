package io.treecast.testkit.network;

import java.util.AbstractList;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Collection;
import java.util.List;
import java.util.RandomAccess;

/**
 * The links of a network and their round-trip times. Nodes are the numbers from 0 to {@code nodes()
 * - 1}; a link has the same round trip in both directions. The network need not be connected.
 *
 * <p>Memory grows with the number of links: 10,000 nodes with 16 links each take 2 MB. Immutable.
 */
public final class Topology {
  /** Limit of nodes. */
  public static final int MAX_NODES = 20_000;

  /** Limit of links. */
  public static final int MAX_LINKS = 5_000_000;

  /** Longest round trip, one hour. */
  public static final long MAX_RTT_MICROS = 3_600_000_000L;

  /**
   * A link.
   *
   * @param low the end with the lower number, at least 0
   * @param high the other end
   * @param rttMicros the round-trip time, 1 to {@link #MAX_RTT_MICROS}
   */
  public record Link(int low, int high, long rttMicros) {
    /**
     * Checks the components.
     *
     * @throws IllegalArgumentException if a component is out of range
     */
    public Link {
      if (low < 0 || low >= high) {
        throw new IllegalArgumentException(
            "link " + low + "-" + high + " does not name a lower and a higher node");
      }
      if (rttMicros < 1 || rttMicros > MAX_RTT_MICROS) {
        throw new IllegalArgumentException(
            "link %s-%s takes %s us; allowed is 1 to %s"
                .formatted(low, high, rttMicros, MAX_RTT_MICROS));
      }
    }

    /** Returns the link between two nodes, given in any order. */
    public static Link between(int one, int other, long rttMicros) {
      return new Link(Math.min(one, other), Math.max(one, other), rttMicros);
    }
  }

  private final List<Link> links;

  /**
   * The neighbours of node i are at the positions from {@code firstEnd[i]} to before {@code
   * firstEnd[i+1]} of the arrays below.
   */
  private final int[] firstEnd;

  private final int[] ends;
  private final long[] rttMicros;

  private Topology(int nodes, Link[] sorted) {
    this.links = new Links(sorted);
    this.firstEnd = new int[nodes + 1];
    for (Link link : sorted) {
      firstEnd[link.low() + 1]++;
      firstEnd[link.high() + 1]++;
    }
    Arrays.parallelPrefix(firstEnd, Integer::sum);
    this.ends = new int[2 * sorted.length];
    this.rttMicros = new long[2 * sorted.length];
    int[] next = Arrays.copyOf(firstEnd, nodes);
    // Links are sorted, so each node gets its lower neighbours first, then its higher ones, in
    // order.
    for (Link link : sorted) {
      add(next[link.high()]++, link.low(), link.rttMicros());
    }
    for (Link link : sorted) {
      add(next[link.low()]++, link.high(), link.rttMicros());
    }
  }

  private void add(int at, int end, long micros) {
    ends[at] = end;
    rttMicros[at] = micros;
  }

  /**
   * Returns the network of these links.
   *
   * @param nodes the number of nodes, 1 to {@value #MAX_NODES}
   * @param links at most {@value #MAX_LINKS}, in any order
   * @throws IllegalArgumentException if there are too many links, a link has an unknown end, or two
   *     links have the same ends
   */
  public static Topology of(int nodes, Collection<Link> links) {
    if (nodes < 1 || nodes > MAX_NODES) {
      throw new IllegalArgumentException(
          "a network of " + nodes + " nodes; allowed is 1 to " + MAX_NODES);
    }
    if (links.size() > MAX_LINKS) {
      throw new IllegalArgumentException(
          "a network of " + links.size() + " links; allowed is at most " + MAX_LINKS);
    }
    Link[] sorted = links.toArray(Link[]::new);
    Arrays.sort(sorted, (a, b) -> a.low() != b.low() ? a.low() - b.low() : a.high() - b.high());
    for (int i = 0; i < sorted.length; i++) {
      Link link = sorted[i];
      if (link.high() >= nodes) {
        throw new IllegalArgumentException(
            "link " + link.low() + "-" + link.high() + " in a network of " + nodes + " nodes");
      }
      if (i > 0 && sorted[i - 1].low() == link.low() && sorted[i - 1].high() == link.high()) {
        throw new IllegalArgumentException(
            "two links between nodes " + link.low() + " and " + link.high());
      }
    }
    return new Topology(nodes, sorted);
  }

  /** Returns the number of nodes. */
  public int nodes() {
    return firstEnd.length - 1;
  }

  /** Returns whether every pair of nodes is linked. */
  public boolean isComplete() {
    return links.size() == nodes() * (nodes() - 1L) / 2;
  }

  /** Returns all links, ordered by lower and then by higher end. */
  public List<Link> links() {
    return links;
  }

  /** Returns the number of links of a node. */
  public int degree(int node) {
    return firstEnd[node + 1] - firstEnd[node];
  }

  /** Returns the neighbours of a node in ascending order. */
  public List<Integer> neighbours(int node) {
    return Arrays.stream(ends, firstEnd[node], firstEnd[node + 1]).boxed().toList();
  }

  /** Returns whether two nodes have a link. A node has no link to itself. */
  public boolean linked(int one, int other) {
    return index(one, other) >= 0;
  }

  /**
   * Returns the round-trip time of the link between two nodes.
   *
   * @throws IllegalArgumentException if there is no such link
   */
  public long rttMicros(int one, int other) {
    int index = index(one, other);
    if (index < 0) {
      throw new IllegalArgumentException("no link between nodes " + one + " and " + other);
    }
    return rttMicros[index];
  }

  /** Returns the nodes that can be reached from a node, itself included, in ascending order. */
  public List<Integer> component(int node) {
    BitSet reached = new BitSet(nodes());
    ArrayDeque<Integer> frontier = new ArrayDeque<>(List.of(node));
    reached.set(node);
    while (!frontier.isEmpty()) {
      int next = frontier.remove();
      for (int i = firstEnd[next]; i < firstEnd[next + 1]; i++) {
        if (!reached.get(ends[i])) {
          reached.set(ends[i]);
          frontier.add(ends[i]);
        }
      }
    }
    return reached.stream().boxed().toList();
  }

  /**
   * Returns the network of the nodes 0 to {@code count - 1} and of the links between them.
   *
   * @throws IllegalArgumentException if the network has fewer nodes, or {@code count < 1}
   */
  public Topology firstNodes(int count) {
    if (count < 1 || count > nodes()) {
      throw new IllegalArgumentException(
          "the first %s nodes of a network of %s; allowed is 1 to %s"
              .formatted(count, nodes(), nodes()));
    }
    return new Topology(
        count, links.stream().filter(link -> link.high() < count).toArray(Link[]::new));
  }

  /** Receives the neighbours of a node, without the boxing of {@link #neighbours}. */
  @FunctionalInterface
  interface NeighbourVisitor {
    void visit(int neighbour, long rttMicros);
  }

  void forEachNeighbour(int node, NeighbourVisitor visitor) {
    for (int i = firstEnd[node]; i < firstEnd[node + 1]; i++) {
      visitor.visit(ends[i], rttMicros[i]);
    }
  }

  /**
   * Returns the position of {@code other} among the neighbours of {@code one} in the arrays;
   * negative if it is not among them.
   */
  private int index(int one, int other) {
    return Arrays.binarySearch(ends, firstEnd[one], firstEnd[one + 1], other);
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof Topology that && nodes() == that.nodes() && links.equals(that.links);
  }

  @Override
  public int hashCode() {
    return 31 * nodes() + links.hashCode();
  }

  /** Returns for example {@code 24 nodes, 276 links}. */
  @Override
  public String toString() {
    return nodes() + " nodes, " + links.size() + " links";
  }

  /** An unmodifiable view; a copy of millions of links would double their memory. */
  private static final class Links extends AbstractList<Link> implements RandomAccess {
    private final Link[] links;

    Links(Link[] links) {
      this.links = links;
    }

    @Override
    public Link get(int index) {
      return links[index];
    }

    @Override
    public int size() {
      return links.length;
    }
  }
}
