package io.treecast.collectives;

import io.treecast.ghs.NodeId;
import java.util.Iterator;
import java.util.Map;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * The members of earlier committed trees of this node that the present one lacks: cut off, paused,
 * restarting or gone for good. For {@link #PATIENCE_NANOS} they are awaited. Relay's thread.
 *
 * <p>Time is only learnt by {@link #tick}: an absence that is noted between two ticks begins at the
 * later one.
 */
final class Absences {
  /** How long a member may stay away before it is given up. */
  static final long PATIENCE_NANOS = 300_000_000_000L;

  private static final long UNSTAMPED = Long.MIN_VALUE;

  private final int limit;

  /** When an absent member is given up. */
  private final TreeMap<NodeId, Long> deadlines = new TreeMap<>();

  private SortedSet<NodeId> members = new TreeSet<>();

  /**
   * Nobody is absent.
   *
   * @param limit the most that are awaited at a time; others are given up at once
   */
  Absences(int limit) {
    this.limit = limit;
  }

  /** A tree of these members was committed. */
  void membersAre(SortedSet<NodeId> treeMembers) {
    for (NodeId member : members) {
      if (!treeMembers.contains(member) && deadlines.size() < limit) {
        deadlines.put(member, UNSTAMPED);
      }
    }
    deadlines.keySet().removeAll(treeMembers);
    members = new TreeSet<>(treeMembers);
  }

  /** Whether anybody is awaited. */
  boolean any() {
    return !deadlines.isEmpty();
  }

  void tick(long nowNanos) {
    Iterator<Map.Entry<NodeId, Long>> all = deadlines.entrySet().iterator();
    while (all.hasNext()) {
      Map.Entry<NodeId, Long> next = all.next();
      if (next.getValue() == UNSTAMPED) {
        next.setValue(nowNanos + PATIENCE_NANOS);
      } else if (next.getValue() <= nowNanos) {
        all.remove();
      }
    }
  }

  /** When {@link #tick} is due at the latest; what is not stamped yet does not count. */
  long nextDeadlineNanos() {
    return deadlines.values().stream()
        .mapToLong(Long::longValue)
        .filter(nanos -> nanos != UNSTAMPED)
        .min()
        .orElse(Long.MAX_VALUE);
  }
}
