package io.treecast.agent.core.bulk;

import io.treecast.agent.core.link.Link;
import io.treecast.agent.core.message.Membership;
import io.treecast.ghs.NodeId;
import io.treecast.monitor.ThroughputExpectation;
import io.treecast.monitor.ThroughputForecast;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * How fast the links were that are lost, for when they come back: to measure them anew takes a
 * while, since agents take turns, and meanwhile uploads would take a narrow link. Only for a peer
 * that is where it was, and for {@link #KEPT_NANOS} after the last measurement; beyond {@link
 * #MAX_REMEMBERED} links the one that was lost first is forgotten.
 */
final class LastThroughputs {
  /** Most links that are remembered. */
  static final int MAX_REMEMBERED = Membership.MAX_MEMBERS;

  /** For how long what was measured is worth more than nothing: an hour. */
  static final long KEPT_NANOS = 3_600_000_000_000L;

  private record Known(String address, ThroughputExpectation expectation, long measuredNanos) {}

  /** The one that was lost first is first. */
  private final Map<NodeId, Known> lost = new LinkedHashMap<>();

  /** The link is lost, with what was measured of it. */
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
   * There is a link to a peer again.
   *
   * @param forecast of the link, which has no measurement yet
   * @return whether it remembers now what was known
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
