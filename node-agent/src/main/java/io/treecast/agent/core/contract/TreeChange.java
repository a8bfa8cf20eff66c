package io.treecast.agent.core.contract;

import io.treecast.ghs.LinkWeight;
import io.treecast.mst.ChangeCause;
import io.treecast.mst.CommittedTree;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * One reconfiguration of the tree, as seen by one member. Immutable.
 *
 * @param tree the committed tree
 * @param versionBefore the version of the tree that it replaced; 0 if this is the first
 * @param causes the events that led to it; empty if only weights changed. A change whose search
 *     found the same edges may have causes
 * @param removed edges of the previous tree that this one lacks, lightest first
 * @param added edges of this tree that the previous one lacked, lightest first
 * @param durationNanos the time from this member's first part in the change to its commit
 * @param messagesSent the number of control messages that this member sent for the change
 */
public record TreeChange(
    CommittedTree tree,
    long versionBefore,
    Set<ChangeCause> causes,
    List<LinkWeight> removed,
    List<LinkWeight> added,
    long durationNanos,
    long messagesSent) {
  /** The maximum number of removed edges, and of added edges, that {@link #edgesText} lists. */
  public static final int MAX_NAMED = 8;

  public TreeChange {
    causes = Collections.unmodifiableSet(new TreeSet<>(causes));
    removed = List.copyOf(removed);
    added = List.copyOf(added);
  }

  public static TreeChange between(
      @Nullable CommittedTree before,
      CommittedTree after,
      Set<ChangeCause> causes,
      long durationNanos,
      long messagesSent) {
    return new TreeChange(
        after,
        before == null ? 0 : before.version(),
        causes,
        before == null ? List.of() : without(before, after),
        before == null ? after.edges() : without(after, before),
        durationNanos,
        messagesSent);
  }

  /**
   * Returns the removed and added edges, lightest first, for people: for example {@code -4-6 +5-6},
   * or {@code +0-1 +0-2 +0-3 +0-4 +0-5 +0-6 +0-7 +0-8 and 15 more}. Empty without such edges.
   */
  public String edgesText() {
    String minus = text("-", removed);
    String plus = text("+", added);
    return minus.isEmpty() || plus.isEmpty() ? minus + plus : minus + " " + plus;
  }

  private static String text(String sign, List<LinkWeight> edges) {
    String named =
        edges.stream()
            .limit(MAX_NAMED)
            .map(edge -> sign + edge.low() + "-" + edge.high())
            .collect(Collectors.joining(" "));
    int more = edges.size() - MAX_NAMED;
    return more > 0 ? named + " and " + more + " more" : named;
  }

  /** Compares edges by their ends, not by their weights. */
  private static List<LinkWeight> without(CommittedTree tree, CommittedTree other) {
    return tree.edges().stream().filter(edge -> !other.hasEdge(edge.low(), edge.high())).toList();
  }
}
