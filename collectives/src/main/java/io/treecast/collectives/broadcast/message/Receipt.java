package io.treecast.collectives.broadcast.message;

import io.treecast.ghs.NodeId;
import org.jspecify.annotations.Nullable;

/**
 * A member's report about a message that requests receipts. Immutable.
 *
 * @param member the reporting member
 * @param from the neighbour that sent the last chunk; null at the origin, and for a member that
 *     will never deliver the message
 * @param deliveredNanos time of delivery, by the clock of the member that holds this receipt now
 * @param errorNanos bound of the error of {@code deliveredNanos}, in either direction
 * @param outcome outcome at the member; the times are meaningless if it is {@link Outcome#NEVER}
 */
public record Receipt(
    NodeId member, @Nullable NodeId from, long deliveredNanos, long errorNanos, Outcome outcome) {

  /** The outcome of a message at a member. Each value supersedes those before it. */
  public enum Outcome {
    /** The member or one of its subscribers does not get the message. */
    NEVER,

    /** The member has the whole message, and had no subscriber to hand it to. */
    WITHOUT_SUBSCRIBER,

    /** Each entitled subscriber received the whole message, and there was at least one. */
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

  /** Creates a receipt for a message that was handed to subscribers. */
  public Receipt(NodeId member, @Nullable NodeId from, long deliveredNanos, long errorNanos) {
    this(member, from, deliveredNanos, errorNanos, Outcome.HANDED_OVER);
  }

  /** Creates a receipt for a message that the member will never deliver. */
  public static Receipt never(NodeId member) {
    return new Receipt(member, null, 0, 0, Outcome.NEVER);
  }

  /** Returns whether the member has the whole message, and its subscribers lack none of it. */
  public boolean isDelivered() {
    return outcome != Outcome.NEVER;
  }

  /** Returns whether this receipt supersedes a known one of the same member, if there is one. */
  public boolean addsTo(@Nullable Receipt known) {
    return known == null || outcome.compareTo(known.outcome) > 0;
  }

  /**
   * Returns this receipt with its names replaced by equal objects; {@code null} keeps {@code from}.
   */
  public Receipt ofNames(NodeId equalMember, @Nullable NodeId equalFrom) {
    NodeId sender = equalFrom == null ? from : equalFrom;
    return new Receipt(equalMember, sender, deliveredNanos, errorNanos, outcome);
  }

  /**
   * Returns this receipt with its time converted to another clock.
   *
   * @param aheadNanos how far the other clock is ahead of the present one
   * @param clockErrorNanos bound of the error of {@code aheadNanos}; not negative
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
