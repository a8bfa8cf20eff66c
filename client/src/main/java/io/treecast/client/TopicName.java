package io.treecast.client;

import java.nio.charset.StandardCharsets;
import java.util.Collection;
import java.util.List;
import java.util.Objects;
import java.util.regex.Pattern;

/** The rules for names of topics. */
final class TopicName {
  private static final int MAX_BYTES = 200;
  private static final int MAX_SELECTION_BYTES = 2_000;
  private static final String TO = "to/";
  private static final Pattern SELECTION =
      Pattern.compile(TO + "[A-Za-z0-9._-]{1,64}(,[A-Za-z0-9._-]{1,64})*+(/(?!to/).+)?");

  private TopicName() {}

  /**
   * Returns the topic that reaches the subscribers of a topic at exactly the members of these ids.
   */
  static String to(Collection<String> members, String topic) {
    return TO + String.join(",", members) + "/" + topic;
  }

  /** Returns the topic that reaches exactly the members of these ids. */
  static String to(Collection<String> members) {
    String name = checked(TO + String.join(",", members));
    if (name.indexOf('/', TO.length()) >= 0) {
      throw notIds(name);
    }
    return name;
  }

  /** Returns whether the topic names its receivers. */
  static boolean isSelection(String topic) {
    return topic.startsWith(TO);
  }

  /** Returns the ids that a selection names. */
  static List<String> receivers(String selection) {
    return List.of(selection.split("/", 3)[1].split(",", -1));
  }

  /**
   * Checks a name; the empty one is the default topic.
   *
   * @throws IllegalArgumentException if agents do not take it
   */
  static String checked(String name) {
    Objects.requireNonNull(name, "topic");
    int bytes = name.getBytes(StandardCharsets.UTF_8).length;
    if (isSelection(name)) {
      checkSelection(name, bytes);
    } else if (bytes > MAX_BYTES) {
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

  private static void checkSelection(String name, int bytes) {
    if (bytes > MAX_SELECTION_BYTES) {
      throw new IllegalArgumentException(
          ("the ids of the selected members take %s bytes; allowed are %s: select fewer, or "
                  + "let them subscribe to a topic")
              .formatted(bytes, MAX_SELECTION_BYTES));
    }
    if (!SELECTION.matcher(name).matches()) {
      throw notIds(name);
    }
  }

  private static IllegalArgumentException notIds(String name) {
    return new IllegalArgumentException(
        "'" + name.substring(TO.length()) + "' are not the ids of members, separated by commas");
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
