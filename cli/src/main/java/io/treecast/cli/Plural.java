package io.treecast.cli;

/** Numbers of things, in words. */
final class Plural {
  private Plural() {}

  /** For example {@code 1 edge} or {@code 3 edges}. */
  static String of(long count, String noun) {
    return count + " " + noun + (count == 1 ? "" : "s");
  }
}
