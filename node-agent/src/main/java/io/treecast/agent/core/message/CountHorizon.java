package io.treecast.agent.core.message;

import io.treecast.agent.core.message.ClaimedCounts.Claim;
import org.jspecify.annotations.Nullable;

/**
 * An upper bound of the counts of correct agents. Agents adopt the highest epoch, version, session
 * and token generation that they receive, and continue from there. Without a bound, a single
 * message with the highest possible number would leave no higher number to continue to.
 *
 * <p>The bound is {@link #HEADROOM} plus the microseconds since 1970 by the clock of this machine.
 * Correct agents count at most a few times a second. They stay far below the bound regardless of
 * the age of the cluster, of its partitions, and of errors of its clocks.
 *
 * <p>The bound grows by a million a second. So an agent can always continue from a number that it
 * has accepted, and an agent that starts later accepts the number as well. If the clocks of two
 * agents differ, the one that is behind may refuse a number just below the bound of the other, but
 * only for as long as the clocks differ.
 */
public final class CountHorizon {
  /** The part of the bound that does not depend on a clock. */
  public static final long HEADROOM = 1L << 52;

  private static final long NANOS_PER_MICRO = 1_000;

  private final long clockMicros;
  private long startNanos;

  /**
   * Creates the bound of an agent.
   *
   * @param incarnation the agent's incarnation, about its start in microseconds since 1970
   */
  public CountHorizon(long incarnation) {
    this.clockMicros = Math.max(0, Math.min(incarnation, HEADROOM));
  }

  /** Sets the start of the agent. */
  public void start(long nowNanos) {
    startNanos = nowNanos;
  }

  /** Returns the highest count that a correct agent can have. */
  long highest(long nowNanos) {
    return HEADROOM + clockMicros + (nowNanos - startNanos) / NANOS_PER_MICRO;
  }

  /** Returns why no correct agent can have sent this message; null if one can. */
  @Nullable
  public String problemWith(PeerMessage message, long nowNanos) {
    return problemWith(ClaimedCounts.highestOf(message), nowNanos);
  }

  /** Returns why no correct agent can have sent this message; null if one can. */
  @Nullable
  public String problemWith(DataMessage message, long nowNanos) {
    return problemWith(ClaimedCounts.highestOf(message), nowNanos);
  }

  private @Nullable String problemWith(Claim claim, long nowNanos) {
    long highest = highest(nowNanos);
    if (claim.count() <= highest) {
      return null;
    }
    return ("%s %s is above %s, the highest count possible by the clock of this machine; "
            + "restart the agent that sent it, or, if the clock of this machine is "
            + "behind, correct it and restart this agent")
        .formatted(claim.what(), claim.count(), highest);
  }
}
