package io.treecast.collectives.broadcast.message;

import java.nio.charset.StandardCharsets;

/** What names a topic may have. Topics exist as soon as somebody uses their names. */
public final class Topic {
  /** The topic that every member gets. */
  public static final String DEFAULT = "";

  /** Longest name, in bytes of UTF-8. */
  public static final int MAX_BYTES = 200;

  /** Begins what takes the place of a topic's name where its total order is meant. */
  private static final String ORDER = "\u0001";

  private Topic() {}

  /** Names the total order of a topic among what members want; no topic has such a name. */
  public static String orderOf(String topic) {
    return ORDER + topic;
  }

  /** Whether it names the total order of a topic. */
  public static boolean isOrder(String name) {
    return name.startsWith(ORDER);
  }

  /** The topic that {@link #orderOf} was called with. */
  public static String ofOrder(String name) {
    return name.substring(ORDER.length());
  }

  /**
   * Checks a name.
   *
   * @return the name
   * @throws IllegalArgumentException if it is longer than {@link #MAX_BYTES}, has a control
   *     character or is no text
   */
  public static String checked(String name) {
    if (name.equals(DEFAULT)) {
      return name; // Of nearly every chunk that is decoded.
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
