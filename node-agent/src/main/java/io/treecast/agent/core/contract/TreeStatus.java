package io.treecast.agent.core.contract;

import io.treecast.mst.CommittedTree;
import org.jspecify.annotations.Nullable;

/**
 * The state of an agent in the tree protocol.
 *
 * @param phase the phase
 * @param tree the last committed tree, or null before the first
 * @param reason why it is not ready, for people; empty when it is
 */
public record TreeStatus(TreePhase phase, @Nullable CommittedTree tree, String reason) {
  /**
   * Returns whether there is a tree for broadcasts with the required number of members, even while
   * the next one is being made.
   */
  public boolean ready() {
    return reason.isEmpty();
  }
}
