package io.treecast.agent.core.message;

import io.treecast.ghs.NodeId;
import java.util.Comparator;

/**
 * A member and the round trip to it.
 *
 * @param id its id
 * @param rttMicros the last measured round trip, at least 1
 */
public record Nearby(NodeId id, long rttMicros) {
  /** Orders by round trip, nearest first, and then by id. */
  public static final Comparator<Nearby> BY_ROUND_TRIP =
      Comparator.comparingLong(Nearby::rttMicros).thenComparing(Nearby::id);
}
