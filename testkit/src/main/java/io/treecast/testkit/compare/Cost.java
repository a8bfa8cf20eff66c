package io.treecast.testkit.compare;

import java.util.Collections;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * The cost at which an algorithm determines its tree. Immutable.
 *
 * @param messagesByType the number of control messages by type
 * @param bytes the size of all messages; 0 if not defined
 * @param millis the duration
 */
public record Cost(SortedMap<String, Long> messagesByType, long bytes, double millis) {
  /** No messages and no time. */
  public static final Cost NONE = new Cost(new TreeMap<>(), 0, 0);

  /** Copies the map. */
  public Cost {
    messagesByType = Collections.unmodifiableSortedMap(new TreeMap<>(messagesByType));
  }

  /** Returns the number of control messages. */
  public long messages() {
    return messagesByType.values().stream().mapToLong(Long::longValue).sum();
  }

  /** Returns the sum of both. */
  public Cost plus(Cost other) {
    SortedMap<String, Long> sum = new TreeMap<>(messagesByType);
    other.messagesByType.forEach((type, count) -> sum.merge(type, count, Long::sum));
    return new Cost(sum, bytes + other.bytes, millis + other.millis);
  }
}
