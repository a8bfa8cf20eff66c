package io.treecast.testkit.compare;

import java.util.Collections;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * The cost of an algorithm to know its tree. Immutable.
 *
 * @param messagesByType control messages
 * @param bytes the size of these together; 0 where that is not defined
 * @param millis how long it takes
 */
public record Cost(SortedMap<String, Long> messagesByType, long bytes, double millis) {
  /** Nothing. */
  public static final Cost NONE = new Cost(new TreeMap<>(), 0, 0);

  /** Copies the map. */
  public Cost {
    messagesByType = Collections.unmodifiableSortedMap(new TreeMap<>(messagesByType));
  }

  /** Returns all control messages. */
  public long messages() {
    return messagesByType.values().stream().mapToLong(Long::longValue).sum();
  }

  /** This, and then that. */
  public Cost plus(Cost other) {
    SortedMap<String, Long> sum = new TreeMap<>(messagesByType);
    other.messagesByType.forEach((type, count) -> sum.merge(type, count, Long::sum));
    return new Cost(sum, bytes + other.bytes, millis + other.millis);
  }
}
