package io.treecast.agent.core.message;

import io.treecast.ghs.NodeId;
import java.util.Comparator;

/**
 * A member and its round trip.
 *
 * @param id its name
 * @param rttMicros the last measured round trip, at least 1
 */
public record Nearby(NodeId id, long rttMicros) {
  /** The nearest first; those of the same round trip in their order. */
  public static final Comparator<Nearby> BY_ROUND_TRIP =
      Comparator.comparingLong(Nearby::rttMicros).thenComparing(Nearby::id);
}
