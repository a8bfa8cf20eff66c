package io.treecast.testkit.cluster;

/**
 * One incarnation of a node's agent, from its start to its end.
 *
 * @param node the node
 * @param number its number among the incarnations of the node, from 1
 */
public record Incarnation(int node, int number) implements Comparable<Incarnation> {
  @Override
  public int compareTo(Incarnation other) {
    int byNode = Integer.compare(node, other.node);
    return byNode != 0 ? byNode : Integer.compare(number, other.number);
  }

  /** Returns for example {@code 7}, and {@code 7 (incarnation 2)} after a restart. */
  @Override
  public String toString() {
    return number == 1 ? "" + node : node + " (incarnation " + number + ")";
  }
}
