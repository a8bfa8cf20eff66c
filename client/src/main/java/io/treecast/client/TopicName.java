package io.treecast.client;

import java.nio.charset.StandardCharsets;
import java.util.Objects;

/** The rules for names of topics. */
final class TopicName {
  private static final int MAX_BYTES = 200;

  private TopicName() {}

  /**
   * Checks a name; the empty one is the default topic.
   *
   * @throws IllegalArgumentException if agents do not take it
   */
  static String checked(String name) {
    Objects.requireNonNull(name, "topic");
    int bytes = name.getBytes(StandardCharsets.UTF_8).length;
    if (bytes > MAX_BYTES) {
      throw new IllegalArgumentException(
          "topic name of " + bytes + " bytes; allowed are 1 to " + MAX_BYTES + " bytes of UTF-8");
    }
    if (!StandardCharsets.UTF_8.newEncoder().canEncode(name)) {
      throw new IllegalArgumentException(
          "topic name with half of a surrogate pair, which is not a character");
    }
    if (name.codePoints().anyMatch(Character::isISOControl)) {
      throw new IllegalArgumentException(
          "topic name with a control character, which is not allowed");
    }
    return name;
  }

  /** Returns whether agents take the name. */
  static boolean isAllowed(String name) {
    try {
      checked(name);
      return true;
    } catch (IllegalArgumentException e) {
      return false;
    }
  }
}
