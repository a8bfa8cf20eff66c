package io.treecast.cli.console;

/** Numbers of things, in words. */
public final class Plural {
  private Plural() {}

  /** For example {@code 1 edge} or {@code 3 edges}. */
  public static String of(long count, String noun) {
    return count + " " + noun + (count == 1 ? "" : "s");
  }
}
