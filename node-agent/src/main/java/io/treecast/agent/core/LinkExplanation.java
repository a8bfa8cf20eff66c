package io.treecast.agent.core;

import io.treecast.agent.core.AgentSnapshot.LinkView;
import io.treecast.ghs.LinkWeight;
import java.util.List;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * Explains whether and why a link is in one of the trees, from the view of one of its ends. Weights
 * are those of that tree; in the tree by throughput they are {@link
 * io.treecast.monitor.throughput.BandwidthWeight}s. Immutable.
 *
 * @param link the state of the link, with whether it is an edge of that tree
 * @param heaviest the heaviest edge of the path between its ends in the committed tree; null if no
 *     committed tree contains both ends
 * @param decision the owner's criteria in the tree by round trip; null for the tree by throughput,
 *     at the end that does not own the link, and before the first measurement
 * @param turningPointKbps the throughput forecast at which the tree by throughput may change: for
 *     an edge, any forecast below this value; for another link, this value or more. 0 if no
 *     forecast changes the tree, for the tree by round trip, and at the end that does not own the
 *     link
 * @param weights the agreed weights, latest first
 */
public record LinkExplanation(
    LinkView link,
    @Nullable LinkWeight heaviest,
    @Nullable Decision decision,
    long turningPointKbps,
    List<AgreedWeight> weights) {

  /**
   * The criteria by which the owner of a link announces weights.
   *
   * @param turningPointMicros the round trip forecast at which the tree may change: for an edge,
   *     any forecast above this value; for another link, any forecast below it
   * @param measurementsToGo how many more measurements like the last one are needed until the link
   *     replaces an edge; empty for an edge, and if the link would never replace one
   * @param penalty the present penalty for its weight changes
   * @param damped whether improvements are withheld because of too many changes
   * @param dampedForNanos how much longer improvements are withheld, unless further changes follow
   */
  public record Decision(
      long turningPointMicros,
      OptionalLong measurementsToGo,
      double penalty,
      boolean damped,
      long dampedForNanos) {}

  /**
   * A weight that both ends had agreed on.
   *
   * @param cost the weight, as in {@code LinkWeight}
   * @param ageNanos the time since the agreement
   */
  public record AgreedWeight(long cost, long ageNanos) {}

  /** Copies the list. */
  public LinkExplanation {
    weights = List.copyOf(weights);
  }
}
