package io.treecast.ghs;

/**
 * The weight of a link, and its name: no two links of a network compare equal, and both ends of a
 * link hold the same value. Totally ordered by cost, then lower node id, then higher node id.
 *
 * @param cost the less, the better; at least 1. The tree defines its unit: in the tree by latency,
 *     the quantised round-trip time in microseconds; in the tree by bandwidth, a number that falls
 *     with throughput
 * @param low the end with the lower node id, which owns the weight: it probes and decides
 * @param high the other end
 */
public record LinkWeight(long cost, NodeId low, NodeId high) implements Comparable<LinkWeight> {
  /**
   * Checks the components.
   *
   * @throws IllegalArgumentException if {@code cost < 1} or {@code low} is not lower than {@code
   *     high}
   */
  public LinkWeight {
    if (cost < 1) {
      throw new IllegalArgumentException("cost is " + cost + "; the least is 1");
    }
    if (low.compareTo(high) >= 0) {
      throw new IllegalArgumentException("low end " + low + " is not lower than high end " + high);
    }
  }

  /** The weight of the link between two nodes, given in any order. */
  public static LinkWeight between(NodeId one, NodeId other, long cost) {
    return one.compareTo(other) < 0
        ? new LinkWeight(cost, one, other)
        : new LinkWeight(cost, other, one);
  }

  /**
   * The other end.
   *
   * @throws IllegalArgumentException if {@code end} is not an end of this link
   */
  public NodeId opposite(NodeId end) {
    if (end.equals(low)) {
      return high;
    }
    if (end.equals(high)) {
      return low;
    }
    throw new IllegalArgumentException(end + " is not an end of " + this);
  }

  /** Whether the node is an end of this link. */
  public boolean touches(NodeId node) {
    return node.equals(low) || node.equals(high);
  }

  @Override
  public int compareTo(LinkWeight other) {
    int byCost = Long.compare(cost, other.cost);
    if (byCost != 0) {
      return byCost;
    }
    int byLow = low.compareTo(other.low);
    return byLow != 0 ? byLow : high.compareTo(other.high);
  }

  /** For example {@code 4-6@200}. */
  @Override
  public String toString() {
    return low + "-" + high + "@" + cost;
  }
}
