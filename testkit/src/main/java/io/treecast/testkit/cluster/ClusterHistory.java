package io.treecast.testkit.cluster;

import io.treecast.agent.core.contract.Notice;
import io.treecast.agent.core.contract.TreeChange;
import io.treecast.mst.ChangeCause;
import io.treecast.mst.CommittedTree;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/**
 * The history of a cluster: its latest commits and its latest events of other kinds. Thread-safe.
 */
public final class ClusterHistory {
  /** Limit of the retained lines; the oldest is dropped first. */
  public static final int MAX_LINES = 200;

  /** Limit of the retained commits; the oldest is dropped first. */
  public static final int MAX_COMMITS = 100_000;

  /**
   * The commit of a tree by a member.
   *
   * @param atNanos time of the cluster
   * @param incarnation the member
   * @param tree the committed tree
   * @param causes the causes of the change
   * @param hasOtherEdges whether the edges differ from those of the member's tree before; a repair
   *     may choose the same edges
   * @param durationNanos duration of the construction, from the member's first step in it to the
   *     commit
   */
  public record Commit(
      long atNanos,
      Incarnation incarnation,
      CommittedTree tree,
      Set<ChangeCause> causes,
      boolean hasOtherEdges,
      long durationNanos) {

    /** Returns the causes by name. */
    public List<String> causeLabels() {
      return causes.stream().map(ChangeCause::label).toList();
    }
  }

  /** An event. It is formatted on demand because most events are dropped unread. */
  private record Line(long atNanos, String what) {
    @Override
    public String toString() {
      return String.format(Locale.ROOT, "%10.3f s  %s", atNanos / 1e9, what);
    }
  }

  private static final long NEVER = Long.MAX_VALUE;

  private final ArrayDeque<Commit> commits = new ArrayDeque<>();
  private final ArrayDeque<Line> lines = new ArrayDeque<>();
  private long lastChangeNanos;
  private long firstReactionNanos = NEVER;

  /** Records the commit of a tree by a member. */
  public synchronized void committed(long atNanos, Incarnation incarnation, TreeChange change) {
    Commit commit =
        new Commit(
            atNanos,
            incarnation,
            change.tree(),
            change.causes(),
            !change.removed().isEmpty() || !change.added().isEmpty(),
            change.durationNanos());
    commits.add(commit);
    if (commits.size() > MAX_COMMITS) {
      commits.remove();
    }
    lastChangeNanos = atNanos;
    List<String> causes = change.causes().stream().map(ChangeCause::label).toList();
    String edges = change.edgesText();
    happened(
        atNanos,
        "node "
            + incarnation
            + ": committed "
            + change.tree()
            + (edges.isEmpty() ? " " : ", " + edges + " ")
            + causes);
  }

  /**
   * Records an agent's notice. Commits, which are recorded with their causes, and the weights of
   * links, which outnumber all other notices, are left out.
   */
  public synchronized void noticed(long atNanos, Incarnation incarnation, Notice notice) {
    if (notice.kind() != Notice.Kind.TREE_COMMITTED && notice.kind() != Notice.Kind.LINK_MEASURED) {
      happened(atNanos, "node " + incarnation + ": " + notice.text());
    }
    if (notice.kind() == Notice.Kind.LINK_LOST || notice.kind() == Notice.Kind.LINK_SUSPENDED) {
      reacted(atNanos);
    }
  }

  /** Records a line. */
  private synchronized void happened(long atNanos, String what) {
    lines.add(new Line(atNanos, what));
    if (lines.size() > MAX_LINES) {
      lines.remove();
    }
  }

  /** Records an event that may lead to further changes. */
  public synchronized void changed(long atNanos, String what) {
    lastChangeNanos = atNanos;
    happened(atNanos, what);
  }

  /** Returns the time of the last event that may lead to further changes. */
  public synchronized long lastChangeNanos() {
    return lastChangeNanos;
  }

  /** Discards the recorded reaction; the next one is the first. */
  public synchronized void expectReaction() {
    firstReactionNanos = NEVER;
  }

  /**
   * Records that an agent has reacted: it has lost or suspended a link, or has announced a change.
   */
  public synchronized void reacted(long atNanos) {
    firstReactionNanos = Math.min(firstReactionNanos, atNanos);
  }

  /**
   * Returns the time of the first reaction of an agent since {@link #expectReaction}; {@link
   * Long#MAX_VALUE} without one.
   */
  public synchronized long firstReactionNanos() {
    return firstReactionNanos;
  }

  /** Returns the commits since a time, oldest first. */
  public synchronized List<Commit> commitsSince(long atNanos) {
    List<Commit> since = new ArrayList<>(commits);
    since.removeIf(commit -> commit.atNanos() < atNanos);
    return since;
  }

  /** Returns the commits with changed edges since a time, oldest first. */
  public List<Commit> reconfigurationsSince(long atNanos) {
    return commitsSince(atNanos).stream().filter(Commit::hasOtherEdges).toList();
  }

  /** Returns the names of all causes. */
  public static List<String> allCauses() {
    return Arrays.stream(ChangeCause.values()).map(ChangeCause::label).toList();
  }

  /** Returns the last lines, oldest first, up to a number. */
  public synchronized List<String> lastLines(int count) {
    return lines.stream().skip(Math.max(0, lines.size() - count)).map(Line::toString).toList();
  }
}
