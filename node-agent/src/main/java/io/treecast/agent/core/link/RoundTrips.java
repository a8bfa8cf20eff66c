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
 * The last measured round trips of members, whether they are still linked or not, in the order of
 * the measurements. Holds {@link #MAX_REMEMBERED} members at most.
 */
final class RoundTrips {
  static final int MAX_REMEMBERED = Membership.MAX_MEMBERS;

  private static final long UNKNOWN = Long.MAX_VALUE;

  /** In microseconds; the member that was measured, or tried in vain, longest ago comes first. */
  private final Map<NodeId, Long> byMember = new LinkedHashMap<>();

  void measured(NodeId member, long rttMicros) {
    byMember.remove(member);
    byMember.put(member, rttMicros);
    if (byMember.size() > MAX_REMEMBERED) {
      byMember.remove(byMember.keySet().iterator().next());
    }
  }

  /** Notes that a member could not be measured now. */
  void triedInVain(NodeId member) {
    measured(member, rttMicros(member));
  }

  void forget(NodeId member) {
    byMember.remove(member);
  }

  /** Returns whether a member was measured, or tried in vain. */
  boolean wasTried(NodeId member) {
    return byMember.containsKey(member);
  }

  /** Returns the round trip in microseconds; {@link Long#MAX_VALUE} if it is not known. */
  long rttMicros(NodeId member) {
    return byMember.getOrDefault(member, UNKNOWN);
  }

  /** Returns the member that was tried longest ago; null if none was. */
  @Nullable NodeId longestAgo(Predicate<NodeId> among) {
    return byMember.keySet().stream().filter(among).findFirst().orElse(null);
  }

  /**
   * Returns the nearest members first; those with the same round trip in the order of their ids.
   */
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

  /** Returns the measured ones of these members, the nearest first; at most {@code count}. */
  List<Nearby> sorted(Collection<NodeId> members, int count) {
    return members.stream()
        .filter(id -> rttMicros(id) != UNKNOWN)
        .map(id -> new Nearby(id, rttMicros(id)))
        .sorted(Nearby.BY_ROUND_TRIP)
        .limit(count)
        .toList();
  }
}
