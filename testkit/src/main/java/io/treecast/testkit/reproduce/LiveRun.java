package io.treecast.testkit.reproduce;

import org.jspecify.annotations.Nullable;

/**
 * What becomes of an experiment on real agents, in real time.
 *
 * @param expectedMillis how long it takes if each tree is built at once; 0 if it cannot run
 * @param refusal why it cannot run, for a person; null if it can
 */
public record LiveRun(long expectedMillis, @Nullable String refusal) {
  /** An experiment that takes longer is for virtual time. */
  public static final int MAX_MINUTES = 8;

  private static final long MILLIS_PER_MINUTE = 60_000;

  /** Of an experiment that has nothing to show on real agents, and why. */
  static LiveRun refused(String why) {
    return new LiveRun(0, why);
  }

  /** Of an experiment that takes so long; refused if that is too long. */
  static LiveRun of(long expectedMillis) {
    return expectedMillis <= MAX_MINUTES * MILLIS_PER_MINUTE
        ? new LiveRun(expectedMillis, null)
        : refused(
            "it would take about "
                + Math.round((double) expectedMillis / MILLIS_PER_MINUTE)
                + " minutes on real agents, and "
                + MAX_MINUTES
                + " are the most");
  }
}
