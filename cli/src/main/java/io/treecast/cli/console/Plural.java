package io.treecast.cli.console;

/** Counts with nouns in singular or plural. */
public final class Plural {
  private Plural() {}

  /** Returns for example {@code 1 edge} or {@code 3 edges}. */
  public static String of(long count, String noun) {
    return of(count, noun, noun + "s");
  }

  /** Returns for example {@code 1 delivery} or {@code 3 deliveries}. */
  public static String of(long count, String noun, String plural) {
    return count + " " + (count == 1 ? noun : plural);
  }
}
