package io.treecast.client;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The tree as one agent knows it at one moment.
 *
 * @param nodeId the agent that tells
 * @param ready whether broadcasts can be sent now
 * @param notReadyReason why not, for a person; empty when ready
 * @param version the committed tree's version, which grows with each commit; 0 while there is none
 * @param root the member that announced the commit; null while there is no tree
 * @param edges the tree's edges, lightest first; empty while there is no tree, and in a tree of one
 *     node
 * @param change what led to this tree; null while there is none
 */
public record TreeView(
    String nodeId,
    boolean ready,
    String notReadyReason,
    long version,
    @Nullable String root,
    List<TreeEdge> edges,
    @Nullable TreeChange change) {

  /** Takes a copy of the edges. */
  public TreeView {
    edges = List.copyOf(edges);
  }

  /** Whether the agent has a committed tree; it may be no longer usable, see {@link #ready}. */
  public boolean hasTree() {
    return root != null;
  }

  /** Sum of the edges' weights, in microseconds. */
  public long weightMicros() {
    return edges.stream().mapToLong(TreeEdge::weightMicros).sum();
  }
}
