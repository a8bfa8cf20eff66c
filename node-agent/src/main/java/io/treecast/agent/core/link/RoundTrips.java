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
 * The last measured round trips of linked and formerly linked members, in the order of their
 * measurement. Holds at most {@link #MAX_REMEMBERED} members.
 */
final class RoundTrips {
  static final int MAX_REMEMBERED = Membership.MAX_MEMBERS;

  private static final long UNKNOWN = Long.MAX_VALUE;

  /** The round trips in microseconds, the member that was tried longest ago first. */
  private final Map<NodeId, Long> byMember = new LinkedHashMap<>();

  void measured(NodeId member, long rttMicros) {
    byMember.remove(member);
    byMember.put(member, rttMicros);
    if (byMember.size() > MAX_REMEMBERED) {
      byMember.remove(byMember.keySet().iterator().next());
    }
  }

  /** Notes a failed attempt to measure a member. */
  void failed(NodeId member) {
    measured(member, rttMicros(member));
  }

  void forget(NodeId member) {
    byMember.remove(member);
  }

  /** Returns whether there was an attempt to measure a member, successful or not. */
  boolean isTried(NodeId member) {
    return byMember.containsKey(member);
  }

  /** Returns the round trip in microseconds; {@link Long#MAX_VALUE} if unknown. */
  long rttMicros(NodeId member) {
    return byMember.getOrDefault(member, UNKNOWN);
  }

  /** Returns the matching member that was tried longest ago; null if there is none. */
  @Nullable NodeId longestAgo(Predicate<NodeId> among) {
    return byMember.keySet().stream().filter(among).findFirst().orElse(null);
  }

  /** Returns the nearest matching members, ordered by round trip and then by id. */
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

  /** Returns those of these members that were measured, nearest first, at most {@code count}. */
  List<Nearby> sorted(Collection<NodeId> members, int count) {
    return members.stream()
        .filter(id -> rttMicros(id) != UNKNOWN)
        .map(id -> new Nearby(id, rttMicros(id)))
        .sorted(Nearby.BY_ROUND_TRIP)
        .limit(count)
        .toList();
  }
}
