package io.treecast.cli.console;

/** Numbers of things, in words. */
public final class Plural {
  private Plural() {}

  /** For example {@code 1 edge} or {@code 3 edges}. */
  public static String of(long count, String noun) {
    return of(count, noun, noun + "s");
  }

  /** For example {@code 1 delivery} or {@code 3 deliveries}. */
  public static String of(long count, String noun, String plural) {
    return count + " " + (count == 1 ? noun : plural);
  }
}
