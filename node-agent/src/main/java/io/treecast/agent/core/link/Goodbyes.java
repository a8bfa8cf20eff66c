package io.treecast.agent.core.link;

import io.treecast.agent.core.message.PeerMessage.Goodbye;
import io.treecast.ghs.NodeId;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * Which members have said goodbye, to this agent or to another one that told of it, and when. So
 * nobody who has not heard it brings them back, and that one is told. Each is kept for as long as a
 * member that nobody hears of; of more than {@link #MAX_KEPT} the one that was heard first goes.
 */
final class Goodbyes {
  /** Most that are kept, and told at once. */
  static final int MAX_KEPT = 256;

  private record Said(long incarnation, long nanos) {}

  private final long keptNanos;
  private final Map<NodeId, Said> said = new LinkedHashMap<>();

  /** None yet. */
  Goodbyes(long keptNanos) {
    this.keptNanos = keptNanos;
  }

  /**
   * A member has said goodbye.
   *
   * @param incarnation in this life
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

  /** Whether a member is known to have said goodbye in this life or in a later one. */
  boolean holds(NodeId id, long incarnation) {
    Said last = said.get(id);
    return last != null && last.incarnation >= incarnation;
  }

  /** A member says itself that it is there, in this life: what it said in others is over. */
  void introduced(NodeId id, long incarnation) {
    Said last = said.get(id);
    if (last != null && last.incarnation != incarnation) {
      said.remove(id);
    }
  }

  boolean isEmpty() {
    return said.isEmpty();
  }

  /** All that are kept, for others. */
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
