package io.treecast.ghs;

import org.jspecify.annotations.Nullable;

/**
 * The name of a node, unique in its cluster.
 *
 * <p>Ordered as people number hosts: runs of digits compare by value, so {@code h2 < h10}. The
 * order breaks ties between links of equal round-trip time, so it must be the same everywhere: it
 * depends on the name alone.
 *
 * <p>Immutable.
 */
public final class NodeId implements Comparable<NodeId> {
  /** Longest name, in characters. */
  public static final int MAX_LENGTH = 64;

  private final String name;
  private final String sortKey;

  private NodeId(String name) {
    this.name = name;
    this.sortKey = sortKey(name);
  }

  /**
   * The node id of that name.
   *
   * @throws IllegalArgumentException if the name is empty, longer than {@link #MAX_LENGTH}, or has
   *     a character other than ASCII letters, digits, {@code '.'}, {@code '_'} and {@code '-'}
   */
  public static NodeId of(String name) {
    if (name.isEmpty() || name.length() > MAX_LENGTH) {
      throw new IllegalArgumentException(
          "node id '%s' has %s characters; allowed are 1 to %s"
              .formatted(name, name.length(), MAX_LENGTH));
    }
    for (int i = 0; i < name.length(); i++) {
      char c = name.charAt(i);
      if (!(isDigit(c)
          || (c >= 'a' && c <= 'z')
          || (c >= 'A' && c <= 'Z')
          || c == '.'
          || c == '_'
          || c == '-')) {
        throw new IllegalArgumentException(
            ("node id '%s' has '%s' at position %s; allowed are letters, digits, '.', '_' "
                    + "and '-'")
                .formatted(name, c, i + 1));
      }
    }
    return new NodeId(name);
  }

  /** The name, with each run of digits stripped of leading zeros and prefixed by its length. */
  private static String sortKey(String name) {
    StringBuilder key = new StringBuilder(name.length() + 4);
    int i = 0;
    while (i < name.length()) {
      if (!isDigit(name.charAt(i))) {
        key.append(name.charAt(i++));
        continue;
      }
      int end = i;
      while (end < name.length() && isDigit(name.charAt(end))) {
        end++;
      }
      while (i < end - 1 && name.charAt(i) == '0') {
        i++;
      }
      key.append((char) ('0' + end - i)).append(name, i, end);
      i = end;
    }
    return key.toString();
  }

  private static boolean isDigit(char c) {
    return c >= '0' && c <= '9';
  }

  @Override
  public int compareTo(NodeId other) {
    int byKey = sortKey.compareTo(other.sortKey);
    return byKey != 0 ? byKey : name.compareTo(other.name);
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof NodeId that && that.name.equals(name);
  }

  @Override
  public int hashCode() {
    return name.hashCode();
  }

  /** The name. */
  @Override
  public String toString() {
    return name;
  }
}
