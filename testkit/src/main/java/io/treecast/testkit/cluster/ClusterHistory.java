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

/** The history of a cluster: every commit, and the last of all other events. Thread-safe. */
public final class ClusterHistory {
  /** Lines that are kept; the oldest go first. */
  public static final int MAX_LINES = 200;

  /** Commits that are kept; the oldest go first. */
  public static final int MAX_COMMITS = 100_000;

  /**
   * A member has committed a tree.
   *
   * @param atNanos when, in the cluster's time
   * @param life the member
   * @param tree what it committed
   * @param causes what led to it
   * @param hasOtherEdges than the tree that the member had before; a repair may choose the same
   * @param durationNanos since the member first took part in it
   */
  public record Commit(
      long atNanos,
      Life life,
      CommittedTree tree,
      Set<ChangeCause> causes,
      boolean hasOtherEdges,
      long durationNanos) {

    /** Returns the causes by name. */
    public List<String> causeLabels() {
      return causes.stream().map(ChangeCause::label).toList();
    }
  }

  /** An event; formatted only on demand, as most events are dropped before. */
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

  /** A member has committed a tree. */
  public synchronized void committed(long atNanos, Life life, TreeChange change) {
    Commit commit =
        new Commit(
            atNanos,
            life,
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
            + life
            + ": committed "
            + change.tree()
            + (edges.isEmpty() ? " " : ", " + edges + " ")
            + causes);
  }

  /**
   * Records an agent's notice. Commits, which are recorded with their causes, and the weights of
   * links, which outnumber all other notices, are left out.
   */
  public synchronized void noticed(long atNanos, Life life, Notice notice) {
    if (notice.kind() != Notice.Kind.TREE_COMMITTED && notice.kind() != Notice.Kind.LINK_MEASURED) {
      happened(atNanos, "node " + life + ": " + notice.text());
    }
    if (notice.kind() == Notice.Kind.LINK_LOST || notice.kind() == Notice.Kind.LINK_SUSPENDED) {
      reacted(atNanos);
    }
  }

  /** Something happened that is not a commit. */
  private synchronized void happened(long atNanos, String what) {
    lines.add(new Line(atNanos, what));
    if (lines.size() > MAX_LINES) {
      lines.remove();
    }
  }

  /** Something happened that may lead to further changes. */
  public synchronized void changed(long atNanos, String what) {
    lastChangeNanos = atNanos;
    happened(atNanos, what);
  }

  /** Returns when something last happened that may lead to further changes. */
  public synchronized long lastChangeNanos() {
    return lastChangeNanos;
  }

  /** From now on the first reaction is looked for. */
  public synchronized void expectReaction() {
    firstReactionNanos = NEVER;
  }

  /** An agent has noticed something: a link that is lost or silent, or it tells of a change. */
  public synchronized void reacted(long atNanos) {
    firstReactionNanos = Math.min(firstReactionNanos, atNanos);
  }

  /**
   * Returns when an agent first reacted since {@link #expectReaction}; {@link Long#MAX_VALUE} if
   * none.
   */
  public synchronized long firstReactionNanos() {
    return firstReactionNanos;
  }

  /** Returns the commits from that time on, oldest first. */
  public synchronized List<Commit> commitsSince(long atNanos) {
    List<Commit> since = new ArrayList<>(commits);
    since.removeIf(commit -> commit.atNanos() < atNanos);
    return since;
  }

  /** Returns the commits of other edges from that time on, oldest first. */
  public List<Commit> reconfigurationsSince(long atNanos) {
    return commitsSince(atNanos).stream().filter(Commit::hasOtherEdges).toList();
  }

  /** The names of all causes that there are. */
  public static List<String> allCauses() {
    return Arrays.stream(ChangeCause.values()).map(ChangeCause::label).toList();
  }

  /** Returns the last things that happened, oldest first, at most so many. */
  public synchronized List<String> lastLines(int count) {
    return lines.stream().skip(Math.max(0, lines.size() - count)).map(Line::toString).toList();
  }
}
