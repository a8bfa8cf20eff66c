package io.treecast.agent.core.link;

import io.treecast.agent.core.message.Membership;
import io.treecast.ghs.NodeId;
import java.util.TreeMap;

/**
 * For how long links that carry no data are left alone. The pause doubles each time, and is short
 * again after a data stream that carried data for longer than the last pause. It is over when the
 * other agent has restarted.
 */
public final class DataPauses {
  static final long FIRST_NANOS = 5_000_000_000L;
  static final long LONGEST_NANOS = 600_000_000_000L;

  private record Pause(long incarnation, long nanos, long untilNanos) {}

  private final TreeMap<NodeId, Pause> pauses = new TreeMap<>();
  private long begun;

  /**
   * A link carries no data.
   *
   * @param incarnation of the other end
   * @param carriedNanos for how long its last data stream did
   * @return for how long it is left alone
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

  /** Whether a link with that life of the member has carried no data before. */
  boolean isDoubtful(NodeId peer, long incarnation) {
    Pause pause = pauses.get(peer);
    return pause != null && pause.incarnation() == incarnation;
  }

  /** How many have begun since the agent's start. */
  public long begun() {
    return begun;
  }

  /** Whether the link with that member is left alone. */
  public boolean isPaused(NodeId peer, long nowNanos) {
    Pause pause = pauses.get(peer);
    return pause != null && nowNanos < pause.untilNanos();
  }

  /** The same of that life of the member. */
  public boolean isPaused(NodeId peer, long incarnation, long nowNanos) {
    Pause pause = pauses.get(peer);
    return pause != null && pause.incarnation() == incarnation && nowNanos < pause.untilNanos();
  }
}
