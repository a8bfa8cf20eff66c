package io.treecast.collectives.broadcast.message;

import java.nio.charset.StandardCharsets;

/** Rules for the names of topics. A topic exists as soon as its name is in use. */
public final class Topic {
  /** The topic that every member gets. */
  public static final String DEFAULT = "";

  /** Longest name, in bytes of UTF-8. */
  public static final int MAX_BYTES = 200;

  /** Prefix that marks the total order of a topic in place of the topic itself. */
  private static final String ORDER = "\u0001";

  private Topic() {}

  /**
   * Returns the name of a topic's total order among the interests of members; no topic has such a
   * name.
   */
  public static String orderOf(String topic) {
    return ORDER + topic;
  }

  /** Returns whether the name stands for the total order of a topic. */
  public static boolean isOrder(String name) {
    return name.startsWith(ORDER);
  }

  /** Returns the topic that {@link #orderOf} was called with. */
  public static String ofOrder(String name) {
    return name.substring(ORDER.length());
  }

  /**
   * Checks a name.
   *
   * @return the name
   * @throws IllegalArgumentException if the name is longer than {@link #MAX_BYTES}, has a control
   *     character or is not valid text
   */
  public static String checked(String name) {
    if (name.equals(DEFAULT)) {
      return name; // The common case: nearly every decoded chunk.
    }
    int bytes = name.getBytes(StandardCharsets.UTF_8).length;
    if (bytes > MAX_BYTES) {
      throw new IllegalArgumentException(
          "topic name of " + bytes + " bytes; allowed are 1 to " + MAX_BYTES + " bytes of UTF-8");
    }
    boolean allowed =
        name.codePoints()
            .noneMatch(
                c -> Character.isISOControl(c) || Character.getType(c) == Character.SURROGATE);
    if (!allowed) {
      throw new IllegalArgumentException(
          "topic name with a control character or half a surrogate pair; neither is allowed");
    }
    return name;
  }
}
