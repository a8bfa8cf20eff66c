package io.treecast.agent.core.link;

import io.treecast.agent.core.message.Membership;
import io.treecast.ghs.NodeId;
import java.util.TreeMap;

/**
 * Pauses of links that carry no data. The pause of a link doubles each time. It is reset when a
 * data stream has carried data for longer than the last pause, and when the other agent has
 * restarted.
 */
public final class DataPauses {
  static final long FIRST_NANOS = 5_000_000_000L;
  static final long LONGEST_NANOS = 600_000_000_000L;

  private record Pause(long incarnation, long nanos, long untilNanos) {}

  private final TreeMap<NodeId, Pause> pauses = new TreeMap<>();
  private long begun;

  /**
   * Begins the pause of a link that carries no data.
   *
   * @param incarnation the other end's incarnation
   * @param carriedNanos how long its last data stream carried data
   * @return the length of the pause, in nanoseconds
   */
  long begin(NodeId peer, long incarnation, long carriedNanos, long nowNanos) {
    begun++;
    Pause last = pauses.get(peer);
    long nanos =
        last == null || last.incarnation() != incarnation || carriedNanos > last.nanos()
            ? FIRST_NANOS
            : Math.min(2 * last.nanos(), LONGEST_NANOS);
    if (last == null && pauses.size() >= Membership.MAX_MEMBERS) {
      pauses.pollFirstEntry();
    }
    pauses.put(peer, new Pause(incarnation, nanos, nowNanos + nanos));
    return nanos;
  }

  /** Returns whether an earlier link with this incarnation of the member carried no data. */
  boolean isDoubtful(NodeId peer, long incarnation) {
    Pause pause = pauses.get(peer);
    return pause != null && pause.incarnation() == incarnation;
  }

  /** Returns the number of pauses since the agent's start. */
  public long begun() {
    return begun;
  }

  /** Returns whether the link with this member is paused. */
  public boolean isPaused(NodeId peer, long nowNanos) {
    Pause pause = pauses.get(peer);
    return pause != null && nowNanos < pause.untilNanos();
  }

  /** Returns whether the link with this incarnation of the member is paused. */
  public boolean isPaused(NodeId peer, long incarnation, long nowNanos) {
    Pause pause = pauses.get(peer);
    return pause != null && pause.incarnation() == incarnation && nowNanos < pause.untilNanos();
  }
}
