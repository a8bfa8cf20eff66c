package io.treecast.testkit.cluster;

/**
 * One life of a node's agent, from its start to its end.
 *
 * @param node the node
 * @param number the number of this life among those of the node, from 1
 */
public record Life(int node, int number) implements Comparable<Life> {
  @Override
  public int compareTo(Life other) {
    int byNode = Integer.compare(node, other.node);
    return byNode != 0 ? byNode : Integer.compare(number, other.number);
  }

  /** Returns for example {@code 7}, and {@code 7 (life 2)} after a restart. */
  @Override
  public String toString() {
    return number == 1 ? "" + node : node + " (life " + number + ")";
  }
}
