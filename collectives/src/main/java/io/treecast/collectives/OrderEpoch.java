package io.treecast.collectives;

import io.treecast.ghs.NodeId;
import java.util.Comparator;

/**
 * The time during which the root of one committed tree orders a topic. Parts of a network that are
 * cut off from each other may have trees of the same version, but not of the same root.
 *
 * @param treeVersion of the committed tree
 * @param root of it
 */
public record OrderEpoch(long treeVersion, NodeId root) implements Comparable<OrderEpoch> {
  private static final Comparator<OrderEpoch> ORDER =
      Comparator.comparingLong(OrderEpoch::treeVersion).thenComparing(OrderEpoch::root);

  /**
   * Checks the version.
   *
   * @throws IllegalArgumentException if it is less than 1
   */
  public OrderEpoch {
    if (treeVersion < 1) {
      throw new IllegalArgumentException("tree version " + treeVersion + " is less than 1");
    }
  }

  @Override
  public int compareTo(OrderEpoch other) {
    return ORDER.compare(this, other);
  }

  @Override
  public String toString() {
    return "v" + treeVersion + " of " + root;
  }
}
