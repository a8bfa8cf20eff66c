package io.treecast.agent.core.message;

import io.treecast.agent.core.message.ClaimedCounts.Claim;
import org.jspecify.annotations.Nullable;

/**
 * The highest number to which any agent can have counted by now. Agents adopt the highest epoch,
 * version, session and token generation that they hear of, and count on from there; without a
 * bound, one agent that claims the highest possible number would leave none to count on to.
 *
 * <p>The bound is {@link #HEADROOM} and the microseconds since 1970 by the clock of this machine.
 * Correct agents count a few times a second at most, so they never come near it, however old the
 * cluster, whatever it was parted into, and however wrong its clocks are. A claimed number that was
 * accepted was within the bound, which moves on by a million a second; so there is always room to
 * count on, and an agent that starts later accepts it, too. Only where the clocks of two agents
 * differ may the one that is behind refuse a number just below the bound of the other, and for no
 * longer than they differ.
 */
public final class CountHorizon {
  /** The highest number while no clock has been set. */
  public static final long HEADROOM = 1L << 52;

  private static final long NANOS_PER_MICRO = 1_000;

  private final long clockMicros;
  private long startNanos;

  /**
   * Creates the bound of an agent.
   *
   * @param incarnation of the agent, which is its start in microseconds since 1970, or near it
   */
  public CountHorizon(long incarnation) {
    this.clockMicros = Math.max(0, Math.min(incarnation, HEADROOM));
  }

  /** Sets the start of the agent. */
  public void start(long nowNanos) {
    startNanos = nowNanos;
  }

  /** Returns the highest number to which any agent can have counted. */
  long highest(long nowNanos) {
    return HEADROOM + clockMicros + (nowNanos - startNanos) / NANOS_PER_MICRO;
  }

  /** Returns why no correct agent can have sent this; null if one can. */
  @Nullable
  public String problemWith(PeerMessage message, long nowNanos) {
    return problemWith(ClaimedCounts.highestOf(message), nowNanos);
  }

  /** Returns why no correct agent can have sent this; null if one can. */
  @Nullable
  public String problemWith(DataMessage message, long nowNanos) {
    return problemWith(ClaimedCounts.highestOf(message), nowNanos);
  }

  private @Nullable String problemWith(Claim claim, long nowNanos) {
    long highest = highest(nowNanos);
    if (claim.count() <= highest) {
      return null;
    }
    return claim.what()
        + " "
        + claim.count()
        + " is higher than any agent can have counted to by the clock here, which is "
        + highest
        + "; restart the agent that counts from there, or set the clock of this machine if it is"
        + " behind, and restart this one";
  }
}
