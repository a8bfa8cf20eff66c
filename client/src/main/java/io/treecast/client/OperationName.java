package io.treecast.client;

import java.nio.charset.StandardCharsets;
import java.util.Objects;

/** The rules for names of collective operations and of members. */
final class OperationName {
  private static final int MAX_BYTES = 200;

  /**
   * The maximum size of the suffix of a segment's name, after the name of its operation, in bytes.
   */
  private static final int SEGMENT_NAME_BYTES = 40;

  private OperationName() {}

  /**
   * Checks the name of an operation.
   *
   * @throws IllegalArgumentException if agents do not accept it
   */
  static String checked(String name) {
    int bytes = Objects.requireNonNull(name, "name").getBytes(StandardCharsets.UTF_8).length;
    if (bytes < 1 || bytes > MAX_BYTES) {
      throw new IllegalArgumentException(
          "operation name of " + bytes + " bytes; allowed are 1 to " + MAX_BYTES + " of UTF-8");
    }
    if (!StandardCharsets.UTF_8.newEncoder().canEncode(name)) {
      throw new IllegalArgumentException(
          "operation name with half of a surrogate pair, which is not a character");
    }
    if (name.codePoints().anyMatch(Character::isISOControl)) {
      throw new IllegalArgumentException(
          "operation name with a control character, which is not allowed");
    }
    return name;
  }

  /**
   * Checks that the names of an operation's segments are short enough.
   *
   * @throws IllegalArgumentException if they are too long
   */
  static void requireRoomForSegments(String name) {
    int bytes = name.getBytes(StandardCharsets.UTF_8).length;
    if (bytes > MAX_BYTES - SEGMENT_NAME_BYTES) {
      throw new IllegalArgumentException(
          "operation name of %s bytes; of an operation on vectors, allowed are 1 to %s of UTF-8"
              .formatted(bytes, MAX_BYTES - SEGMENT_NAME_BYTES));
    }
  }

  /**
   * Checks that a member id is not empty, because on the wire an empty id stands for all members.
   *
   * @param what the role of the member, for people
   * @throws IllegalArgumentException if the id is empty
   */
  static String checkedMember(String member, String what) {
    if (Objects.requireNonNull(member, what).isEmpty()) {
      throw new IllegalArgumentException(what + " is empty; allowed is the id of a member");
    }
    return member;
  }
}
