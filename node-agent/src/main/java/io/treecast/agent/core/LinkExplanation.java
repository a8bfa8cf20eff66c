package io.treecast.agent.core;

import io.treecast.agent.core.AgentSnapshot.LinkView;
import io.treecast.ghs.LinkWeight;
import java.util.List;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * Why a link is in one of the trees, or is not, as one of its ends sees it. Weights are as of that
 * tree: those of the tree by bandwidth of {@link io.treecast.monitor.throughput.BandwidthWeight}.
 * Immutable.
 *
 * @param link the link as it is; an edge if it is one of that tree
 * @param heaviest the heaviest edge of the path between its ends in the committed tree; null where
 *     no such tree holds both
 * @param decision the owner's criteria in the tree of round trips; null in the other tree, at the
 *     other end, and before the link is measured
 * @param turningPointKbps the forecast beyond which the tree by bandwidth may change: below it for
 *     an edge, from it on for another link; 0 if there is none, in the other tree, and at the other
 *     end
 * @param weights the agreed weights, the latest first
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
   * @param turningPointMicros the forecast beyond which the tree may change: above it for an edge,
   *     below it for another link
   * @param measurementsToGo after how many more measurements like the last the link replaces an
   *     edge, since it saves enough in time; empty for an edge, and if it never does
   * @param penalty the present penalty of its changes
   * @param damped whether there were so many changes that improvements wait
   * @param dampedForNanos for how much longer, unless it changes further
   */
  public record Decision(
      long turningPointMicros,
      OptionalLong measurementsToGo,
      double penalty,
      boolean damped,
      long dampedForNanos) {}

  /**
   * A weight that the ends agreed on.
   *
   * @param cost the weight, as in {@code LinkWeight}
   * @param ageNanos how long ago
   */
  public record AgreedWeight(long cost, long ageNanos) {}

  /** Copies the list. */
  public LinkExplanation {
    weights = List.copyOf(weights);
  }
}
