package io.treecast.agent.core.bulk;

import io.treecast.agent.core.link.Link;
import io.treecast.agent.core.message.Membership;
import io.treecast.ghs.NodeId;
import io.treecast.monitor.throughput.ThroughputExpectation;
import io.treecast.monitor.throughput.ThroughputForecast;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * The last throughputs of lost links, for when they come back: measuring them again takes a while,
 * since agents take turns, and meanwhile uploads would take a narrow link. Valid only for a peer at
 * its old address, and for {@link #KEPT_NANOS} after the last measurement; beyond {@link
 * #MAX_REMEMBERED} links the one that was lost first is forgotten.
 */
final class LastThroughputs {
  /** The most links that are remembered. */
  static final int MAX_REMEMBERED = Membership.MAX_MEMBERS;

  /** How long a measurement is of use: an hour. */
  static final long KEPT_NANOS = 3_600_000_000_000L;

  private record Known(String address, ThroughputExpectation expectation, long measuredNanos) {}

  /** Lost links, the one that was lost first comes first. */
  private final Map<NodeId, Known> lost = new LinkedHashMap<>();

  /** Remembers the measurements of a lost link. */
  void lost(Link link) {
    ThroughputForecast forecast = link.throughput;
    ThroughputExpectation expectation = forecast == null ? null : forecast.expectation();
    if (forecast == null || expectation == null) {
      return;
    }
    lost.remove(link.peer);
    lost.put(link.peer, new Known(link.address, expectation, forecast.measuredNanos()));
    if (lost.size() > MAX_REMEMBERED) {
      lost.remove(lost.keySet().iterator().next());
    }
  }

  /**
   * Restores the measurements of a peer's link.
   *
   * @param forecast of the link, which has no measurement yet
   * @return whether there was something to restore
   */
  boolean recall(Link link, ThroughputForecast forecast, long nowNanos) {
    Known known = lost.remove(link.peer);
    if (known == null
        || !known.address.equals(link.address)
        || nowNanos - known.measuredNanos > KEPT_NANOS) {
      return false;
    }
    forecast.remember(known.expectation, known.measuredNanos);
    return true;
  }

  int size() {
    return lost.size();
  }
}
