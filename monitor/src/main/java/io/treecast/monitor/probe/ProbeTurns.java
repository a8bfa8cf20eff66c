package io.treecast.monitor.probe;

/**
 * Spreads the probes of an agent's calm links over time, so that all its probes together keep the
 * budget, {@link ProbePolicy#perSecond}. The budget first pays one brisk link, the edge to the
 * agent's parent in the tree; the rest is a sequence of <em>turns</em> at equal distances. A calm
 * link that is probed takes the last turn, so with many links each waits longer, and no two are
 * probed together. With few links, each waits for {@link ProbePolicy#measurementInterval}.
 *
 * <p>Probes out of turn use up turns as well, as long as the last turn is no later than {@value
 * #MOST_ROUNDS} times the time that all links take. Those that can wait do so {@linkplain
 * #roomNanos until there is room}: while turns are taken for more than {@value #ROUNDS_WITH_ROOM}
 * times that time. So the budget holds however many there are, and the calm links have their part
 * of it. But each link is probed once in {@link ProbePolicy#MAX_STEADY_INTERVAL}, since no probe
 * may announce a later one, and with thousands of links that exceeds the budget.
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
   * While no more turns than these are taken, there is room: for close looks where links are few.
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
   * Returns from when on there is room for probes out of turn that can wait. It may be past; each
   * one that is then {@linkplain #probedBeside sent} moves it on.
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
