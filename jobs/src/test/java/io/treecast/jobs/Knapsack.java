package io.treecast.jobs;

import io.treecast.client.Codec;
import java.nio.ByteBuffer;
import java.util.List;

/**
 * Chooses items of the greatest value that are not too heavy together, by branch and bound. The
 * result is that value, or less for a part of the search that cannot contain the best choice.
 */
final class Knapsack implements Problem<Knapsack.Choice, Long> {
  static final Codec<Choice> CHOICES =
      Codec.of(
          choice ->
              ByteBuffer.allocate(20)
                  .putInt(choice.items)
                  .putLong(choice.room)
                  .putLong(choice.value)
                  .array(),
          bytes -> {
            ByteBuffer in = ByteBuffer.wrap(bytes);
            return new Choice(in.getInt(), in.getLong(), in.getLong());
          });

  /** So many items are searched in one task. */
  private static final int FEW = 12;

  private final List<Item> items;

  /** An item. */
  record Item(long weight, long value) {}

  /**
   * A choice among the first items.
   *
   * @param items how many have been decided about
   * @param room the weight that may be added
   * @param value of those that were chosen
   */
  record Choice(int items, long room, long value) {}

  /**
   * Creates the problem.
   *
   * @param items those with the greatest value for their weight first
   */
  Knapsack(List<Item> items) {
    this.items = List.copyOf(items);
  }

  // tag::bound
  @Override
  public boolean isSmall(Choice choice, Incumbent best) {
    return items.size() - choice.items() <= FEW || -bound(choice) > best.value();
  }

  @Override
  public Long solve(Choice choice, Incumbent best) {
    if (-bound(choice) > best.value()) { // The least value is the best one.
      return 0L;
    }
    if (choice.items() == items.size()) {
      best.offer(-choice.value());
      return choice.value();
    }
    return combine(choice, divide(choice).stream().map(next -> solve(next, best)).toList());
  }

  // end::bound

  @Override
  public List<Choice> divide(Choice choice) {
    Item item = items.get(choice.items());
    Choice without = new Choice(choice.items() + 1, choice.room(), choice.value());
    return item.weight() > choice.room()
        ? List.of(without)
        : List.of(
            new Choice(
                choice.items() + 1, choice.room() - item.weight(), choice.value() + item.value()),
            without);
  }

  @Override
  public Long combine(Choice choice, List<Long> values) {
    return values.stream().mapToLong(Long::longValue).max().orElse(0);
  }

  /** Returns the value if the next items could be cut to fill the room. */
  private long bound(Choice choice) {
    long room = choice.room();
    long value = choice.value();
    for (Item item : items.subList(choice.items(), items.size())) {
      if (item.weight() > room) {
        return value + (item.value() * room + item.weight() - 1) / item.weight();
      }
      room -= item.weight();
      value += item.value();
    }
    return value;
  }
}
