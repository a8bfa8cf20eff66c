package io.treecast.collectives;

import io.treecast.ghs.NodeId;
import org.jspecify.annotations.Nullable;

/**
 * That a member has delivered a message: it has handed the whole of it to each of its subscribers
 * that was due it; to nobody, if it has none. Or that it never will. Immutable.
 *
 * @param member who
 * @param from the neighbour that the member had the last chunk from; null at the origin, and of a
 *     member that never will deliver it
 * @param deliveredNanos when, by the clock of the member that holds this receipt now
 * @param errorNanos how much earlier or later that may have been, at most
 * @param isDelivered false if one of its subscribers does not get it; then there is no time
 */
public record Receipt(
    NodeId member,
    @Nullable NodeId from,
    long deliveredNanos,
    long errorNanos,
    boolean isDelivered) {

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

  /** That the member has delivered it. */
  public Receipt(NodeId member, @Nullable NodeId from, long deliveredNanos, long errorNanos) {
    this(member, from, deliveredNanos, errorNanos, true);
  }

  /** That the member will never deliver it. */
  public static Receipt never(NodeId member) {
    return new Receipt(member, null, 0, 0, false);
  }

  /** Whether it says more than another of the same member, if there is one. */
  boolean isNews(@Nullable Receipt known) {
    return known == null || (isDelivered && !known.isDelivered);
  }

  /** The same with names that are equal to its own; {@code null} leaves whom it is from. */
  Receipt ofNames(NodeId equalMember, @Nullable NodeId equalFrom) {
    NodeId whom = equalFrom == null ? from : equalFrom;
    return new Receipt(equalMember, whom, deliveredNanos, errorNanos, isDelivered);
  }

  /**
   * The same by another clock.
   *
   * @param aheadNanos how far that clock is ahead of the one before
   * @param clockErrorNanos how wrong {@code aheadNanos} may be; not negative
   */
  public Receipt byClock(long aheadNanos, long clockErrorNanos) {
    if (!isDelivered) {
      return this;
    }
    long sum = errorNanos + clockErrorNanos;
    return new Receipt(member, from, deliveredNanos + aheadNanos, sum < 0 ? Long.MAX_VALUE : sum);
  }
}
