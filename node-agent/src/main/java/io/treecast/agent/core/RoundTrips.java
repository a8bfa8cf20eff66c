package io.treecast.agent.core;

import io.treecast.ghs.NodeId;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;

/**
 * How far members are, as it was measured last on a link with them, be it gone. Of {@link
 * #REMEMBERED_NANOS} and {@link #MAX_REMEMBERED} members at most.
 *
 * <p>Owned by the agent's thread.
 */
final class RoundTrips {
  /** Networks change: a member that was measured so long ago may be near now. */
  static final long REMEMBERED_NANOS = 600_000_000_000L;

  static final int MAX_REMEMBERED = 1_024;

  private record Measured(long rttMicros, long atNanos) {}

  /** The one that was measured longest ago first. */
  private final Map<NodeId, Measured> byMember = new LinkedHashMap<>();

  void put(NodeId member, long rttMicros, long nowNanos) {
    byMember.remove(member);
    byMember.put(member, new Measured(rttMicros, nowNanos));
    if (byMember.size() > MAX_REMEMBERED) {
      byMember.remove(byMember.keySet().iterator().next());
    }
  }

  /** Returns whether there were any. */
  boolean forgetOld(long nowNanos) {
    int before = byMember.size();
    Iterator<Measured> oldest = byMember.values().iterator();
    while (oldest.hasNext() && nowNanos - oldest.next().atNanos >= REMEMBERED_NANOS) {
      oldest.remove();
    }
    return byMember.size() < before;
  }

  void forget(NodeId member) {
    byMember.remove(member);
  }

  boolean has(NodeId member) {
    return byMember.containsKey(member);
  }

  /** In microseconds; {@link Long#MAX_VALUE} if it is not known. */
  long rttMicros(NodeId member) {
    Measured measured = byMember.get(member);
    return measured == null ? Long.MAX_VALUE : measured.rttMicros;
  }

  /** The nearest first; of the same round trip in their order. */
  List<Nearby> nearest(int count, Predicate<NodeId> among) {
    List<Nearby> nearest = new ArrayList<>();
    byMember.forEach(
        (id, measured) -> {
          if (among.test(id)) {
            nearest.add(new Nearby(id, measured.rttMicros));
          }
        });
    nearest.sort(Nearby.BY_ROUND_TRIP);
    return List.copyOf(nearest.subList(0, Math.min(count, nearest.size())));
  }
}
