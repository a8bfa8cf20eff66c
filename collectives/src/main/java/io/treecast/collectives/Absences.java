package io.treecast.collectives;

import io.treecast.ghs.NodeId;
import io.treecast.mst.CommittedTree;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The members of earlier committed trees of this node that the present one lacks: cut off, paused,
 * restarting or gone for good. For {@link #PATIENCE_NANOS} they are awaited; for {@link
 * #BRIEF_NANOS} uploads wait for them, too. Relay's thread.
 *
 * <p>Time is only learnt by {@link #tick}: an absence that is noted between two ticks begins at the
 * later one.
 */
final class Absences {
  /** How long a member may stay away before it is given up. */
  static final long PATIENCE_NANOS = 300_000_000_000L;

  /** How long a member may stay away before uploads go on without it. */
  static final long BRIEF_NANOS = Orphans.PATIENCE_NANOS;

  private static final long UNSTAMPED = Long.MAX_VALUE;

  private final int limit;

  /** Since when members are absent. */
  private final TreeMap<NodeId, Long> since = new TreeMap<>();

  private @Nullable CommittedTree tree;
  private long nowNanos;

  /**
   * Nobody is absent.
   *
   * @param limit the most that are awaited at a time; others are given up at once
   */
  Absences(int limit) {
    this.limit = limit;
  }

  /** This tree was committed. */
  void treeCommitted(CommittedTree committed) {
    if (tree != null) {
      for (NodeId member : tree.members()) {
        if (!committed.hasMember(member) && since.size() < limit) {
          since.put(member, UNSTAMPED);
        }
      }
    }
    since.keySet().removeIf(committed::hasMember);
    tree = committed;
  }

  /** Whether anybody is awaited. */
  boolean any() {
    return !since.isEmpty();
  }

  /** How many are absent for so short a time that uploads wait for them. */
  int brief() {
    int brief = 0;
    for (long began : since.values()) {
      brief += isBrief(began) ? 1 : 0;
    }
    return brief;
  }

  private boolean isBrief(long began) {
    return began == UNSTAMPED || nowNanos < began + BRIEF_NANOS;
  }

  void tick(long now) {
    nowNanos = now;
    if (since.isEmpty()) {
      return;
    }
    for (Map.Entry<NodeId, Long> absent : since.entrySet()) {
      if (absent.getValue() == UNSTAMPED) {
        absent.setValue(now);
      }
    }
    since.values().removeIf(began -> began + PATIENCE_NANOS <= now);
  }

  /** When {@link #tick} is due at the latest; what is not stamped yet does not count. */
  long nextDeadlineNanos() {
    long next = Long.MAX_VALUE;
    for (long began : since.values()) {
      if (began != UNSTAMPED) {
        next = Math.min(next, began + (isBrief(began) ? BRIEF_NANOS : PATIENCE_NANOS));
      }
    }
    return next;
  }
}
