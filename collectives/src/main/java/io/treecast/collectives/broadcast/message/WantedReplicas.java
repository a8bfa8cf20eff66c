package io.treecast.collectives.broadcast.message;

/**
 * The number of members, without the origin, that must have the whole message before the publisher
 * gets an answer, and the longest wait for them. Immutable.
 *
 * @param count 0 if no member reports; otherwise at most {@link #MAX_COUNT}
 * @param millis time after the end of the message was published; at most {@link #MAX_MILLIS}
 */
public record WantedReplicas(int count, int millis) {
  /** The largest number of members that a publisher may wait for. */
  public static final int MAX_COUNT = 10_000;

  /** The longest time that a publisher may wait: an hour. */
  public static final int MAX_MILLIS = 3_600_000;

  /** No member reports. */
  public static final WantedReplicas NONE = new WantedReplicas(0, 0);

  /**
   * Checks the components.
   *
   * @throws IllegalArgumentException if one is out of range, or there is a time and nothing to wait
   *     for
   */
  public WantedReplicas {
    if (count < 0 || count > MAX_COUNT) {
      throw new IllegalArgumentException(
          Integer.toUnsignedString(count) + " replicas are wanted; allowed are 0 to " + MAX_COUNT);
    }
    if (millis < 0 || millis > MAX_MILLIS) {
      throw new IllegalArgumentException(
          "replicas are awaited for %s ms; allowed are 0 to %s"
              .formatted(Integer.toUnsignedString(millis), MAX_MILLIS));
    }
    if (count == 0 && millis > 0) {
      throw new IllegalArgumentException("no replicas are awaited for " + millis + " ms");
    }
  }

  /** Returns whether members report that they have the message. */
  public boolean any() {
    return count > 0;
  }
}
