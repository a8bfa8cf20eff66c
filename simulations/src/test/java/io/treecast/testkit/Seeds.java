package io.treecast.testkit;

import java.util.stream.LongStream;

/** The seeds of seeded tests, which options can override. */
public final class Seeds {
  private Seeds() {}

  /**
   * Returns a number of seeds in ascending order from 0, multiplied by {@code
   * treecast.seeds.times}; with {@code -Dtreecast.seeds=N} the first N, with {@code
   * -Dtreecast.seed=N} only N.
   */
  public static LongStream first(long count) {
    Long only = Long.getLong("treecast.seed");
    if (only != null) {
      return LongStream.of(only);
    }
    return LongStream.range(
        0, Long.getLong("treecast.seeds", count * Long.getLong("treecast.seeds.times", 1)));
  }
}
