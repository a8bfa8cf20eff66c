package io.treecast.client;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The tree of one agent at one moment.
 *
 * @param nodeId the agent that reports it
 * @param ready whether broadcasts can be sent now
 * @param notReadyReason the reason why not, for people; empty when ready
 * @param version the committed tree's version, which grows with each commit; 0 without a tree
 * @param root the member that announced the commit; null without a tree
 * @param edges the tree's edges, lightest first; empty without a tree, and in a tree of one node
 * @param change the reconfiguration that led to this tree; null without a tree
 */
public record TreeView(
    String nodeId,
    boolean ready,
    String notReadyReason,
    long version,
    @Nullable String root,
    List<TreeEdge> edges,
    @Nullable TreeChange change) {

  /** Copies the edges. */
  public TreeView {
    edges = List.copyOf(edges);
  }

  /** Returns whether the agent has a committed tree, which may be unusable: see {@link #ready}. */
  public boolean hasTree() {
    return root != null;
  }

  /** Returns the sum of the edges' weights, in microseconds. */
  public long weightMicros() {
    return edges.stream().mapToLong(TreeEdge::weightMicros).sum();
  }
}
