package io.treecast.testkit.reproduce;

import org.jspecify.annotations.Nullable;

/**
 * Whether an experiment runs on real agents, in real time, and for how long.
 *
 * @param expectedMillis how long it takes if each tree is built at once; 0 if it cannot run
 * @param refusal why it cannot run, for a person; null if it can
 */
public record LiveRun(long expectedMillis, @Nullable String refusal) {
  /** An experiment that takes longer is for virtual time. */
  public static final int MAX_MINUTES = 8;

  private static final long MILLIS_PER_MINUTE = 60_000;

  /** Refuses an experiment that shows nothing on real agents, with the reason. */
  static LiveRun refused(String why) {
    return new LiveRun(0, why);
  }

  /** Admits an experiment of this duration, or refuses it if that is too long. */
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
