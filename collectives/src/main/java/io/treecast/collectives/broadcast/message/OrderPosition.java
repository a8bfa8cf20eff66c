package io.treecast.collectives.broadcast.message;

import java.util.Comparator;

/**
 * The place of a message in the total order of its topic.
 *
 * @param epoch version of the committed tree whose root assigned the place
 * @param number from 1 in each epoch
 */
public record OrderPosition(long epoch, long number) implements Comparable<OrderPosition> {
  private static final Comparator<OrderPosition> ORDER =
      Comparator.comparingLong(OrderPosition::epoch).thenComparingLong(OrderPosition::number);

  /**
   * Checks the components.
   *
   * @throws IllegalArgumentException if either is less than 1
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

  /** Returns for example {@code 7.42}, the 42nd place of epoch 7. */
  @Override
  public String toString() {
    return epoch + "." + number;
  }
}
