package io.treecast.ghs;

import java.util.Comparator;

/**
 * The name of a link, without its weight. Ordered by its lower end, then its higher end.
 *
 * @param low the end with the lower id
 * @param high the other end
 */
public record Edge(NodeId low, NodeId high) implements Comparable<Edge> {
  private static final Comparator<Edge> ORDER =
      Comparator.comparing(Edge::low).thenComparing(Edge::high);

  /**
   * Checks the order of the ends.
   *
   * @throws IllegalArgumentException if {@code low} is not lower than {@code high}
   */
  public Edge {
    if (low.compareTo(high) >= 0) {
      throw new IllegalArgumentException("low end " + low + " is not lower than high end " + high);
    }
  }

  /** The link between two nodes, given in any order. */
  public static Edge between(NodeId one, NodeId other) {
    return one.compareTo(other) < 0 ? new Edge(one, other) : new Edge(other, one);
  }

  /** The name of the link with this weight. */
  public static Edge of(LinkWeight weight) {
    return new Edge(weight.low(), weight.high());
  }

  @Override
  public int compareTo(Edge other) {
    return ORDER.compare(this, other);
  }

  @Override
  public String toString() {
    return low + "-" + high;
  }
}
