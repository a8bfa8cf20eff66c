package io.treecast.collectives;

import io.treecast.ghs.NodeId;
import org.jspecify.annotations.Nullable;

/**
 * That a member has delivered a message: it has handed the whole of it to each of its subscribers
 * that was due it; to nobody, if it has none. Immutable.
 *
 * @param member who
 * @param from the neighbour that the member had the last chunk from; null at the origin
 * @param deliveredNanos when, by the clock of the member that holds this receipt now
 * @param errorNanos how much earlier or later that may have been, at most
 */
public record Receipt(NodeId member, @Nullable NodeId from, long deliveredNanos, long errorNanos) {

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

  /**
   * The same by another clock.
   *
   * @param aheadNanos how far that clock is ahead of the one before
   * @param clockErrorNanos how wrong {@code aheadNanos} may be; not negative
   */
  public Receipt byClock(long aheadNanos, long clockErrorNanos) {
    long sum = errorNanos + clockErrorNanos;
    return new Receipt(member, from, deliveredNanos + aheadNanos, sum < 0 ? Long.MAX_VALUE : sum);
  }
}
