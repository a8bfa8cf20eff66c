package io.treecast.testkit.reproduce;

import org.jspecify.annotations.Nullable;

/**
 * The decision whether an experiment can run on real agents in real time, with its duration.
 *
 * @param expectedMillis the duration if each tree is built at once; 0 if it cannot run
 * @param refusal the reason, for people, why it cannot run; null if it can
 */
public record LiveRun(long expectedMillis, @Nullable String refusal) {
  /** Limit of the duration in real time. */
  public static final int MAX_MINUTES = 8;

  private static final long MILLIS_PER_MINUTE = 60_000;

  /** Refuses an experiment on real agents, with the reason. */
  static LiveRun refused(String why) {
    return new LiveRun(0, why);
  }

  /** Admits an experiment with a duration up to the limit, or refuses it. */
  static LiveRun of(long expectedMillis) {
    return expectedMillis <= MAX_MINUTES * MILLIS_PER_MINUTE
        ? new LiveRun(expectedMillis, null)
        : refused(
            "it would take about "
                + Math.round((double) expectedMillis / MILLIS_PER_MINUTE)
                + " minutes on real agents; the limit is "
                + MAX_MINUTES);
  }
}
