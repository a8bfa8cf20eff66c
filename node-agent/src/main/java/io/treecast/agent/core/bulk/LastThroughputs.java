package io.treecast.agent.core.bulk;

import io.treecast.agent.core.link.Link;
import io.treecast.agent.core.message.Membership;
import io.treecast.ghs.NodeId;
import io.treecast.monitor.throughput.ThroughputExpectation;
import io.treecast.monitor.throughput.ThroughputForecast;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * The last throughputs of lost links, which are restored when the links open again. A new
 * measurement takes a while, since agents take turns, and meanwhile uploads might use a narrow
 * link. An entry is valid for a peer at the same address, and for {@link #KEPT_NANOS} after the
 * last measurement. Beyond {@link #MAX_REMEMBERED} links, the one that was lost first is dropped.
 */
final class LastThroughputs {
  /** The maximum number of remembered links. */
  static final int MAX_REMEMBERED = Membership.MAX_MEMBERS;

  /** How long a measurement is valid: an hour. */
  static final long KEPT_NANOS = 3_600_000_000_000L;

  private record Known(String address, ThroughputExpectation expectation, long measuredNanos) {}

  /** The lost links, in the order of their loss. */
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
   * Restores the measurements of an earlier link to the same peer.
   *
   * @param forecast the link's forecast, without measurements
   * @return whether measurements were restored
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
