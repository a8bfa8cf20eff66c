package io.treecast.collectives.group;

import java.util.ArrayList;
import java.util.List;

/**
 * The name of a group, for example {@code trainers/west}: a member of this group is a member of its
 * whole, {@code trainers}, too.
 */
public record GroupPath(String name) implements Comparable<GroupPath> {
  /** The most characters of a path. */
  public static final int MAX_LENGTH = 64;

  /**
   * Checks the path.
   *
   * @throws IllegalArgumentException if a part is empty or has other characters than {@code
   *     a-zA-Z0-9._-}, or the path is too long
   */
  public GroupPath {
    if (name.length() > MAX_LENGTH) {
      throw new IllegalArgumentException(
          "group path of " + name.length() + " characters; allowed are 1 to " + MAX_LENGTH);
    }
    if (!hasPartsOfAllowedCharacters(name)) {
      throw new IllegalArgumentException(
          "group path '" + name + "'; allowed are parts of a-z A-Z 0-9 . _ - with / between them");
    }
  }

  private static boolean hasPartsOfAllowedCharacters(String name) {
    boolean isPartEmpty = true;
    for (int i = 0; i < name.length(); i++) {
      char c = name.charAt(i);
      if (c == '/' ? isPartEmpty : !isAllowed(c)) {
        return false;
      }
      isPartEmpty = c == '/';
    }
    return !isPartEmpty;
  }

  private static boolean isAllowed(char c) {
    return (c >= 'a' && c <= 'z')
        || (c >= 'A' && c <= 'Z')
        || (c >= '0' && c <= '9')
        || ".-_".indexOf(c) >= 0;
  }

  /** Returns this path and the wholes that it is a part of. */
  List<GroupPath> withWholes() {
    List<GroupPath> paths = new ArrayList<>(List.of(this));
    for (int end = name.lastIndexOf('/'); end > 0; end = name.lastIndexOf('/', end - 1)) {
      paths.add(new GroupPath(name.substring(0, end)));
    }
    return paths;
  }

  @Override
  public int compareTo(GroupPath other) {
    return name.compareTo(other.name);
  }

  @Override
  public String toString() {
    return name;
  }
}
