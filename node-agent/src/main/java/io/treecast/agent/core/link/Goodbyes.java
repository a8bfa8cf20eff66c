package io.treecast.agent.core.link;

import io.treecast.agent.core.message.PeerMessage.Goodbye;
import io.treecast.ghs.NodeId;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * The goodbyes of members that have left, received from the member itself or reported by another
 * agent. They prevent agents that have not received a goodbye from reintroducing the member, and
 * inform these agents. A goodbye is kept for as long as an absent member; beyond {@link #MAX_KEPT}
 * the earliest received one is dropped.
 */
final class Goodbyes {
  /** The maximum number of goodbyes that are kept, and sent at once. */
  static final int MAX_KEPT = 256;

  private record Departure(long incarnation, long nanos) {}

  private final long keptNanos;
  private final Map<NodeId, Departure> departures = new LinkedHashMap<>();

  /** Creates it empty. */
  Goodbyes(long keptNanos) {
    this.keptNanos = keptNanos;
  }

  /**
   * Adds a member's goodbye.
   *
   * @param incarnation the incarnation that has left
   * @param agoNanos the time since it left, at least 0
   */
  void add(NodeId id, long incarnation, long agoNanos, long nowNanos) {
    if (agoNanos >= keptNanos || holds(id, incarnation)) {
      return;
    }
    departures.remove(id);
    departures.put(id, new Departure(incarnation, nowNanos - agoNanos));
    if (departures.size() > MAX_KEPT) {
      departures.remove(departures.keySet().iterator().next());
    }
  }

  /** Returns whether there is a goodbye of this incarnation of the member, or of a later one. */
  boolean holds(NodeId id, long incarnation) {
    Departure last = departures.get(id);
    return last != null && last.incarnation >= incarnation;
  }

  /** Removes the goodbye of another incarnation of a member that has announced itself. */
  void introduced(NodeId id, long incarnation) {
    Departure last = departures.get(id);
    if (last != null && last.incarnation != incarnation) {
      departures.remove(id);
    }
  }

  boolean isEmpty() {
    return departures.isEmpty();
  }

  /** Returns all goodbyes, to announce to other agents. */
  List<Goodbye> announce(long nowNanos) {
    departures.values().removeIf(one -> nowNanos - one.nanos >= keptNanos);
    List<Goodbye> announced = new ArrayList<>();
    departures.forEach(
        (id, one) ->
            announced.add(
                new Goodbye(
                    id, one.incarnation, TimeUnit.NANOSECONDS.toMillis(nowNanos - one.nanos))));
    return announced;
  }
}
