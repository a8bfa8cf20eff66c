package io.treecast.collectives.broadcast.message;

import io.treecast.ghs.NodeId;
import org.jspecify.annotations.Nullable;

/**
 * What a member says of a message that asks for it. Immutable.
 *
 * @param member who
 * @param from the neighbour that the member had the last chunk from; null at the origin, and of a
 *     member that never will deliver it
 * @param deliveredNanos when, by the clock of the member that holds this receipt now
 * @param errorNanos how much earlier or later that may have been, at most
 * @param outcome what became of it there; there is no time if it is {@link Outcome#NEVER}
 */
public record Receipt(
    NodeId member, @Nullable NodeId from, long deliveredNanos, long errorNanos, Outcome outcome) {

  /** What became of a message at a member. Each says more than those before it. */
  public enum Outcome {
    /** One of its subscribers does not get it, or the member does not. */
    NEVER,

    /** The member has the whole of it, and had nobody to hand it to. */
    WITHOUT_SUBSCRIBER,

    /** Each of its subscribers that was due it was handed the whole of it, and there was one. */
    HANDED_OVER
  }

  /**
   * Checks the components.
   *
   * @throws IllegalArgumentException if {@code errorNanos} is negative
   */
  public Receipt {
    if (errorNanos < 0) {
      throw new IllegalArgumentException("errorNanos is " + errorNanos + "; the least is 0");
    }
  }

  /** That the member has handed it over. */
  public Receipt(NodeId member, @Nullable NodeId from, long deliveredNanos, long errorNanos) {
    this(member, from, deliveredNanos, errorNanos, Outcome.HANDED_OVER);
  }

  /** That the member will never deliver it. */
  public static Receipt never(NodeId member) {
    return new Receipt(member, null, 0, 0, Outcome.NEVER);
  }

  /** Whether the member has the whole message, and its subscribers lack none of it. */
  public boolean isDelivered() {
    return outcome != Outcome.NEVER;
  }

  /** Whether it says more than another of the same member, if there is one. */
  public boolean isNews(@Nullable Receipt known) {
    return known == null || outcome.compareTo(known.outcome) > 0;
  }

  /** The same with names that are equal to its own; {@code null} leaves whom it is from. */
  public Receipt ofNames(NodeId equalMember, @Nullable NodeId equalFrom) {
    NodeId whom = equalFrom == null ? from : equalFrom;
    return new Receipt(equalMember, whom, deliveredNanos, errorNanos, outcome);
  }

  /**
   * The same by another clock.
   *
   * @param aheadNanos how far that clock is ahead of the one before
   * @param clockErrorNanos how wrong {@code aheadNanos} may be; not negative
   */
  public Receipt byClock(long aheadNanos, long clockErrorNanos) {
    if (!isDelivered()) {
      return this;
    }
    long sum = errorNanos + clockErrorNanos;
    return new Receipt(
        member, from, deliveredNanos + aheadNanos, sum < 0 ? Long.MAX_VALUE : sum, outcome);
  }
}
