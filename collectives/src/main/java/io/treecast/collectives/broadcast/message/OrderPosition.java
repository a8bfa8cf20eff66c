package io.treecast.collectives.broadcast.message;

import java.util.Comparator;

/**
 * A message's place in the total order of its topic.
 *
 * @param epoch version of the committed tree whose root gave it the place
 * @param number from 1 in each epoch
 */
public record OrderPosition(long epoch, long number) implements Comparable<OrderPosition> {
  private static final Comparator<OrderPosition> ORDER =
      Comparator.comparingLong(OrderPosition::epoch).thenComparingLong(OrderPosition::number);

  /**
   * Checks the components.
   *
   * @throws IllegalArgumentException if one is less than 1
   */
  public OrderPosition {
    if (epoch < 1 || number < 1) {
      throw new IllegalArgumentException(
          "order position " + epoch + "." + number + " is before the first, which is 1.1");
    }
  }

  @Override
  public int compareTo(OrderPosition other) {
    return ORDER.compare(this, other);
  }

  /** For example {@code 7.42}: the 42nd of epoch 7. */
  @Override
  public String toString() {
    return epoch + "." + number;
  }
}
