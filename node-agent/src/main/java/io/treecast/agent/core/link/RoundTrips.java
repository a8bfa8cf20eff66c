package io.treecast.agent.core.link;

import io.treecast.agent.core.message.Membership;
import io.treecast.agent.core.message.Nearby;
import io.treecast.ghs.NodeId;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * How far members are, as it was measured last on a link with them, be it gone; and who was tried
 * longest ago. Of {@link #MAX_REMEMBERED} members at most.
 */
final class RoundTrips {
  static final int MAX_REMEMBERED = Membership.MAX_MEMBERS;

  private static final long UNKNOWN = Long.MAX_VALUE;

  /** In microseconds; the one that was measured, or tried in vain, longest ago first. */
  private final Map<NodeId, Long> byMember = new LinkedHashMap<>();

  void measured(NodeId member, long rttMicros) {
    byMember.remove(member);
    byMember.put(member, rttMicros);
    if (byMember.size() > MAX_REMEMBERED) {
      byMember.remove(byMember.keySet().iterator().next());
    }
  }

  /** It could not be measured now. */
  void triedInVain(NodeId member) {
    measured(member, rttMicros(member));
  }

  void forget(NodeId member) {
    byMember.remove(member);
  }

  /** Whether it was measured, or tried in vain. */
  boolean wasTried(NodeId member) {
    return byMember.containsKey(member);
  }

  /** In microseconds; {@link Long#MAX_VALUE} if it is not known. */
  long rttMicros(NodeId member) {
    return byMember.getOrDefault(member, UNKNOWN);
  }

  /** Who was tried longest ago; null if nobody was. */
  @Nullable NodeId longestAgo(Predicate<NodeId> among) {
    return byMember.keySet().stream().filter(among).findFirst().orElse(null);
  }

  /** The nearest first; of the same round trip in their order. */
  List<Nearby> nearest(int count, Predicate<NodeId> among) {
    TreeSet<Nearby> nearest = new TreeSet<>(Nearby.BY_ROUND_TRIP);
    byMember.forEach(
        (id, rttMicros) -> {
          boolean isNear =
              rttMicros != UNKNOWN
                  && (nearest.size() < count || rttMicros <= nearest.last().rttMicros());
          if (isNear && among.test(id)) {
            nearest.add(new Nearby(id, rttMicros));
            if (nearest.size() > count) {
              nearest.pollLast();
            }
          }
        });
    return List.copyOf(nearest);
  }

  /** Those of the members that were measured, the nearest first; at most so many. */
  List<Nearby> sorted(Collection<NodeId> members, int count) {
    return members.stream()
        .filter(id -> rttMicros(id) != UNKNOWN)
        .map(id -> new Nearby(id, rttMicros(id)))
        .sorted(Nearby.BY_ROUND_TRIP)
        .limit(count)
        .toList();
  }
}
