package io.treecast.agent.core;

import io.treecast.ghs.LinkWeight;
import io.treecast.mst.ChangeCause;
import io.treecast.mst.CommittedTree;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * One reconfiguration of the tree, as one member saw it. Immutable.
 *
 * @param tree the tree that was committed
 * @param versionBefore of the tree that it replaced; 0 if this is the first
 * @param causes what members noticed that led to it; empty if only the weights in it are new
 * @param removed edges of the tree before that are not in it, lightest first
 * @param added its edges that were not in the tree before, lightest first
 * @param durationNanos from when this member first took part to its commit
 * @param messagesSent control messages that this member sent for it
 */
public record TreeChange(
    CommittedTree tree,
    long versionBefore,
    Set<ChangeCause> causes,
    List<LinkWeight> removed,
    List<LinkWeight> added,
    long durationNanos,
    long messagesSent) {

  public TreeChange {
    causes = Collections.unmodifiableSet(new TreeSet<>(causes));
    removed = List.copyOf(removed);
    added = List.copyOf(added);
  }

  static TreeChange between(
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

  /** Told by their ends: an edge that only has another weight is the same edge. */
  private static List<LinkWeight> without(CommittedTree tree, CommittedTree other) {
    return tree.edges().stream().filter(edge -> !other.hasEdge(edge.low(), edge.high())).toList();
  }
}
