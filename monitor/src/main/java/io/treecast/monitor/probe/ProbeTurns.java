package io.treecast.monitor.probe;

/**
 * Spreads the probes of an agent's calm links over time, so that all its probes together keep the
 * budget, {@link ProbePolicy#perSecond}. The budget first pays one brisk link, the edge to the
 * agent's parent in the tree; the rest is a sequence of <em>turns</em> at equal distances. A calm
 * link that is probed takes the last turn, so with many links each waits longer, and no two are
 * probed together. With few links, each waits for {@link ProbePolicy#measurementInterval}.
 *
 * <p>Probes out of turn use up turns as well, until the last turn is {@value #MOST_ROUNDS} rounds
 * of all links ahead. Those that can wait are delayed {@linkplain #roomNanos until there is room},
 * which means that the turns taken are at most {@value #ROUNDS_WITH_ROOM} rounds. So the budget
 * holds however many probes are out of turn, and the calm links have their part of it. There is one
 * exception: each link is probed at least once in {@link ProbePolicy#MAX_STEADY_INTERVAL}, the
 * latest time that a probe may announce for the next one. With thousands of links that exceeds the
 * budget.
 *
 * <p>Single-threaded. Times are nanoseconds of any clock that does not run backwards, with any
 * origin.
 */
public final class ProbeTurns {
  /** Close looks may take this part of the rest of the budget. */
  private static final int CLOSE_LOOKS_DIVISOR = 2;

  /** Calm links have this part of the turns, however many probes are out of turn. */
  private static final int MOST_ROUNDS = 6;

  /** Probes that can wait leave the calm links this part of the turns. */
  private static final int ROUNDS_WITH_ROOM = 3;

  /**
   * The number of taken turns up to which there is room in any case, for close looks where links
   * are few.
   */
  private static final int TURNS_WITH_ROOM = 30;

  /** The latest time that a probe may announce for the next one. */
  private static final long MOST_NANOS = ProbePolicy.MAX_STEADY_INTERVAL.toNanos();

  private final long turnIntervalNanos;
  private final long leastNanos;
  private final int maxCloseLooks;
  private boolean begun;
  private long lastTurnNanos;

  /** Creates a schedule in which no turn is taken. */
  public ProbeTurns(ProbePolicy policy) {
    double steadyPerSecond = 1e9 / policy.steadyInterval().toNanos();
    double turnsPerSecond = policy.perSecond() - steadyPerSecond;
    this.turnIntervalNanos = (long) Math.ceil(1e9 / turnsPerSecond);
    this.leastNanos = policy.measurementInterval().toNanos();
    this.maxCloseLooks =
        Math.max(1, (int) (turnsPerSecond / CLOSE_LOOKS_DIVISOR / steadyPerSecond));
  }

  /** Returns the largest number of links under close look at once, each at the steady interval. */
  public int maxCloseLooks() {
    return maxCloseLooks;
  }

  /**
   * Takes the next turn for a calm link that is probed now.
   *
   * @param links number of links that take turns, including this one
   */
  public long next(int links, long nowNanos) {
    probedBeside(links, nowNanos);
    lastTurnNanos = Math.max(lastTurnNanos, nowNanos + leastNanos);
    lastTurnNanos = Math.min(lastTurnNanos, nowNanos + MOST_NANOS);
    return lastTurnNanos;
  }

  /**
   * Notes that a link that is not calm is probed now.
   *
   * @param links number of links that take turns
   */
  public void probedBeside(int links, long nowNanos) {
    if (!begun) {
      begun = true;
      lastTurnNanos = nowNanos;
    }
    long latestNanos = nowNanos + (long) MOST_ROUNDS * links * turnIntervalNanos;
    if (lastTurnNanos - latestNanos < 0) {
      lastTurnNanos = Math.max(lastTurnNanos, nowNanos) + turnIntervalNanos;
    }
  }

  /**
   * Returns the time from which on there is room for probes out of turn that can wait. It may have
   * passed; each probe that is then {@linkplain #probedBeside sent} moves it on.
   *
   * @param links number of links that take turns
   */
  public long roomNanos(int links) {
    if (!begun) {
      return Long.MIN_VALUE;
    }
    long inTimeNanos = leastNanos + links * turnIntervalNanos;
    long turnsTaken = Math.max(ROUNDS_WITH_ROOM * links, TURNS_WITH_ROOM);
    return lastTurnNanos - Math.max(inTimeNanos, turnsTaken * turnIntervalNanos);
  }
}
