package io.treecast.jobs.schedule;

import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Selects the members to steal from, in this site and in others, and the time of each steal. At
 * most one steal in this site and one between sites are under way at a time.
 */
final class Victims {
  /** The time for which a member that did not answer is not asked again. */
  static final long AVOID_NANOS = 10_000_000_000L;

  /** The number of other members up to which all are partners. */
  private static final int SMALL_GROUP = 2 * Partners.MOST;

  private SortedMap<String, String> siteOf = new TreeMap<>();
  private String self = "";
  private final SortedMap<String, Long> avoidedUntilNanos = new TreeMap<>();
  private final Attempts near = new Attempts(1_000_000, 250_000_000);
  private final Attempts far = new Attempts(10_000_000, 1_000_000_000);
  private long random;

  Victims(long seed) {
    random = seed == 0 ? 1 : seed;
  }

  /**
   * The steals of one kind: the one under way, and the time of the next. A thief asks all others in
   * random order without a pause. It then pauses before the next round, and doubles the pause each
   * time.
   */
  private static final class Attempts {
    private final long leastPauseNanos;
    private final long longestPauseNanos;
    private final SortedSet<String> asked = new TreeSet<>();
    private @Nullable String victim;
    private long nextNanos = Long.MIN_VALUE;
    private long pauseNanos;

    Attempts(long leastPauseNanos, long longestPauseNanos) {
      this.leastPauseNanos = leastPauseNanos;
      this.longestPauseNanos = longestPauseNanos;
      this.pauseNanos = leastPauseNanos;
    }

    private void reset() {
      asked.clear();
      pauseNanos = leastPauseNanos;
      nextNanos = Long.MIN_VALUE;
    }

    private long whenFree() {
      return victim == null ? nextNanos : Long.MAX_VALUE;
    }

    private void pause(long nowNanos) {
      asked.clear();
      nextNanos = nowNanos + pauseNanos;
      pauseNanos = Math.min(longestPauseNanos, 2 * pauseNanos);
    }
  }

  void present(String newSelf, SortedMap<String, String> newSiteOf) {
    self = newSelf;
    siteOf = new TreeMap<>(newSiteOf);
    avoidedUntilNanos.keySet().retainAll(siteOf.keySet());
  }

  boolean isPresent(String member) {
    return siteOf.containsKey(member);
  }

  private boolean isNear(String member) {
    String site = siteOf.get(member);
    return site != null && site.equals(siteOf.get(self));
  }

  /** Returns the time at which the next steal may begin, unless the end of one comes first. */
  long nextNanos() {
    return Math.min(near.whenFree(), far.whenFree());
  }

  /** Ends the pauses, because there may be tasks now. */
  void expectTasks() {
    near.reset();
    far.reset();
  }

  /** Returns a member to ask now, and notes the steal as under way; null if there is none. */
  @Nullable String choose(boolean isNear, SortedSet<String> members, long nowNanos) {
    Attempts attempts = isNear ? near : far;
    if (attempts.victim != null || nowNanos < attempts.nextNanos) {
      return null;
    }
    List<String> candidates = new ArrayList<>();
    for (String member : partners(isNear, members)) {
      if (isNear(member) == isNear
          && avoidedUntilNanos.getOrDefault(member, Long.MIN_VALUE) <= nowNanos) {
        candidates.add(member);
      }
    }
    candidates.removeAll(attempts.asked);
    if (candidates.isEmpty()) {
      attempts.pause(nowNanos);
      return null;
    }
    String victim = candidates.get(below(candidates.size()));
    attempts.victim = victim;
    attempts.asked.add(victim);
    return victim;
  }

  private SortedSet<String> partners(boolean isNear, SortedSet<String> members) {
    SortedSet<String> all = new TreeSet<>(members);
    all.retainAll(siteOf.keySet());
    all.add(self);
    if (all.size() - 1 > SMALL_GROUP && isNear) {
      all.removeIf(member -> !isNear(member) && !member.equals(self));
      return Partners.of(self, all, Partners.MOST);
    }
    return Partners.of(self, all, SMALL_GROUP);
  }

  /** Notes the end of a steal. Returns whether it was in this site. */
  boolean ended(String member, Result result, long nowNanos) {
    boolean isNear = member.equals(near.victim);
    Attempts attempts = isNear ? near : far;
    attempts.victim = null;
    if (result == Result.STOLEN) {
      attempts.reset();
    }
    if (result == Result.NO_ANSWER) {
      avoidedUntilNanos.put(member, nowNanos + AVOID_NANOS);
    }
    return isNear;
  }

  /** The result of a steal. */
  enum Result {
    STOLEN,
    NO_TASK,
    NO_ANSWER
  }

  /** Returns a random number from a xorshift generator (G. Marsaglia, Xorshift RNGs, 2003). */
  private int below(int bound) {
    random ^= random << 13;
    random ^= random >>> 7;
    random ^= random << 17;
    return (int) Long.remainderUnsigned(random, bound);
  }
}
