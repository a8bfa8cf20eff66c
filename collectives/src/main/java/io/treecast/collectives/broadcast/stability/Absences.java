package io.treecast.collectives.broadcast.stability;

import io.treecast.collectives.broadcast.log.Orphans;
import io.treecast.ghs.NodeId;
import io.treecast.mst.CommittedTree;
import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The members of earlier committed trees of this node that the present one lacks: separated,
 * paused, restarting or gone for good. Logs retain content for them, as far as there is room, for
 * {@link #PATIENCE_NANOS}. Uploads wait for them for {@link #BRIEF_NANOS}.
 *
 * <p>Time advances only by {@link #tick}: an absence noted between two ticks begins at the later
 * one.
 */
public final class Absences {
  /** The time for which an absent member is awaited. */
  public static final long PATIENCE_NANOS = 300_000_000_000L;

  /** The time for which uploads wait for an absent member. */
  public static final long BRIEF_NANOS = Orphans.PATIENCE_NANOS;

  private static final long UNSTAMPED = Long.MAX_VALUE;

  /** The members that left with trees committed between two ticks; they share their time. */
  private static final class Gone {
    final Set<NodeId> members = new LinkedHashSet<>();
    long sinceNanos = UNSTAMPED;
  }

  private final int limit;

  /** The absent members, each with those that left at the same time; looked up only. */
  private final Map<NodeId, Gone> absent = new HashMap<>();

  /** The briefly absent members, the longest absence first; only the last may lack a stamp. */
  private final ArrayDeque<Gone> brief = new ArrayDeque<>();

  /** The members that are absent for longer, the longest absence first. */
  private final ArrayDeque<Gone> lasting = new ArrayDeque<>();

  private int briefMembers;

  private @Nullable CommittedTree tree;

  /** The size of the tree, since it is asked for at each broadcast. */
  private int present = 1;

  private long nowNanos;

  /**
   * Creates an empty set.
   *
   * @param limit the largest number of absent members that are awaited; further ones are not
   */
  Absences(int limit) {
    this.limit = limit;
  }

  /** Notes that this tree was committed. */
  void treeCommitted(CommittedTree committed) {
    if (tree != null) {
      for (NodeId member : tree.members()) {
        if (!committed.hasMember(member) && absent.size() < limit) {
          markAbsent(member);
        }
      }
    }
    for (NodeId member : committed.members()) {
      markReturned(member);
    }
    tree = committed;
    present = committed.members().size();
  }

  private void markAbsent(NodeId member) {
    Gone newest = brief.peekLast();
    if (newest == null || newest.sinceNanos != UNSTAMPED) {
      newest = new Gone();
      brief.add(newest);
    }
    absent.put(member, newest);
    newest.members.add(member);
    briefMembers++;
  }

  private void markReturned(NodeId member) {
    Gone gone = absent.remove(member);
    if (gone != null) {
      gone.members.remove(member);
      briefMembers -= isBrief(gone) ? 1 : 0;
      if (gone.members.isEmpty()) {
        (isBrief(gone) ? brief : lasting).remove(gone);
      }
    }
  }

  /** Returns the number of members of the committed tree; before the first tree, one. */
  int present() {
    return present;
  }

  /** Returns whether any member is awaited. */
  boolean any() {
    return !absent.isEmpty();
  }

  /** Returns how many members are absent for so short a time that uploads wait for them. */
  int brief() {
    return briefMembers;
  }

  private boolean isBrief(Gone gone) {
    return gone.sinceNanos == UNSTAMPED || nowNanos < gone.sinceNanos + BRIEF_NANOS;
  }

  void tick(long now) {
    nowNanos = now;
    Gone newest = brief.peekLast();
    if (newest != null && newest.sinceNanos == UNSTAMPED) {
      newest.sinceNanos = now;
    }
    for (Gone first = brief.peek(); first != null && !isBrief(first); first = brief.peek()) {
      brief.remove();
      lasting.add(first);
      briefMembers -= first.members.size();
    }
    while (!lasting.isEmpty() && lasting.element().sinceNanos + PATIENCE_NANOS <= now) {
      lasting.remove().members.forEach(absent::remove);
    }
  }

  /** Returns the latest time for the next {@link #tick}; absences without a stamp do not count. */
  long nextDeadlineNanos() {
    Gone first = brief.peek();
    long next =
        first == null || first.sinceNanos == UNSTAMPED
            ? Long.MAX_VALUE
            : first.sinceNanos + BRIEF_NANOS;
    return lasting.isEmpty() ? next : Math.min(next, lasting.element().sinceNanos + PATIENCE_NANOS);
  }
}
