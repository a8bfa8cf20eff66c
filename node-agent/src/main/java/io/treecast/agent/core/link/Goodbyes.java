package io.treecast.agent.core.link;

import io.treecast.agent.core.message.PeerMessage.Goodbye;
import io.treecast.ghs.NodeId;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * The members that have said goodbye, to this agent or to another one that reported it, and when.
 * Members that have not heard a goodbye therefore cannot bring them back, and learn of it. A
 * goodbye is kept for as long as an absent member; beyond {@link #MAX_KEPT} the one that was heard
 * first is dropped.
 */
final class Goodbyes {
  /** The most that are kept, and sent at once. */
  static final int MAX_KEPT = 256;

  private record Said(long incarnation, long nanos) {}

  private final long keptNanos;
  private final Map<NodeId, Said> said = new LinkedHashMap<>();

  /** Creates it empty. */
  Goodbyes(long keptNanos) {
    this.keptNanos = keptNanos;
  }

  /**
   * Adds a member's goodbye.
   *
   * @param incarnation that said goodbye
   * @param agoNanos how long ago, at least 0
   */
  void add(NodeId id, long incarnation, long agoNanos, long nowNanos) {
    if (agoNanos >= keptNanos || holds(id, incarnation)) {
      return;
    }
    said.remove(id);
    said.put(id, new Said(incarnation, nowNanos - agoNanos));
    if (said.size() > MAX_KEPT) {
      said.remove(said.keySet().iterator().next());
    }
  }

  /**
   * Returns whether a member is known to have said goodbye in this incarnation or in a later one.
   */
  boolean holds(NodeId id, long incarnation) {
    Said last = said.get(id);
    return last != null && last.incarnation >= incarnation;
  }

  /** Removes the goodbyes of earlier incarnations of a member that introduces itself. */
  void introduced(NodeId id, long incarnation) {
    Said last = said.get(id);
    if (last != null && last.incarnation != incarnation) {
      said.remove(id);
    }
  }

  boolean isEmpty() {
    return said.isEmpty();
  }

  /** Returns all goodbyes, for other agents. */
  List<Goodbye> tell(long nowNanos) {
    said.values().removeIf(one -> nowNanos - one.nanos >= keptNanos);
    List<Goodbye> told = new ArrayList<>();
    said.forEach(
        (id, one) ->
            told.add(
                new Goodbye(
                    id, one.incarnation, TimeUnit.NANOSECONDS.toMillis(nowNanos - one.nanos))));
    return told;
  }
}
