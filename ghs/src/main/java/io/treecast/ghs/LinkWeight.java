package io.treecast.ghs;

/**
 * The weight of a link, and its name: no two links of a network compare equal, and both ends of a
 * link hold the same value. Totally ordered by round-trip time, then lower node id, then higher
 * node id.
 *
 * @param rttMicros the quantised round-trip time, in microseconds, at least 1
 * @param low the end with the lower node id, which owns the weight: it probes and decides
 * @param high the other end
 */
public record LinkWeight(long rttMicros, NodeId low, NodeId high)
    implements Comparable<LinkWeight> {
  /**
   * Checks the components.
   *
   * @throws IllegalArgumentException if {@code rttMicros < 1} or {@code low} is not lower than
   *     {@code high}
   */
  public LinkWeight {
    if (rttMicros < 1) {
      throw new IllegalArgumentException("rttMicros is " + rttMicros + "; the least is 1");
    }
    if (low.compareTo(high) >= 0) {
      throw new IllegalArgumentException("low end " + low + " is not lower than high end " + high);
    }
  }

  /** The weight of the link between two nodes, given in any order. */
  public static LinkWeight between(NodeId one, NodeId other, long rttMicros) {
    return one.compareTo(other) < 0
        ? new LinkWeight(rttMicros, one, other)
        : new LinkWeight(rttMicros, other, one);
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
    int byRtt = Long.compare(rttMicros, other.rttMicros);
    if (byRtt != 0) {
      return byRtt;
    }
    int byLow = low.compareTo(other.low);
    return byLow != 0 ? byLow : high.compareTo(other.high);
  }

  /** For example {@code 4-6@200us}. */
  @Override
  public String toString() {
    return low + "-" + high + "@" + rttMicros + "us";
  }
}
