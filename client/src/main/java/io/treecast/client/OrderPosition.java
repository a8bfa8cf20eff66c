package io.treecast.client;

import java.util.Comparator;

/**
 * A message's place in the total order of its topic, the same for all subscribers whose agents stay
 * in one tree.
 *
 * @param epoch version of the tree whose root has assigned the place
 * @param number from 1 in each epoch
 */
public record OrderPosition(long epoch, long number) implements Comparable<OrderPosition> {
  private static final Comparator<OrderPosition> ORDER =
      Comparator.comparingLong(OrderPosition::epoch).thenComparingLong(OrderPosition::number);

  @Override
  public int compareTo(OrderPosition other) {
    return ORDER.compare(this, other);
  }

  /** Returns, for example, {@code 7.42}: the 42nd message of epoch 7. */
  @Override
  public String toString() {
    return epoch + "." + number;
  }
}
