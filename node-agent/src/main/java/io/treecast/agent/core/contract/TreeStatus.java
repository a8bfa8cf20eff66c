package io.treecast.agent.core.contract;

import io.treecast.mst.CommittedTree;
import org.jspecify.annotations.Nullable;

/**
 * The state of an agent in the tree protocol.
 *
 * @param phase the phase
 * @param tree the last committed tree, or null before the first
 * @param reason why the agent is not ready, for people; empty if it is
 */
public record TreeStatus(TreePhase phase, @Nullable CommittedTree tree, String reason) {
  /**
   * Returns whether a committed tree has the required number of members. It stays ready while the
   * next tree is being built.
   */
  public boolean ready() {
    return reason.isEmpty();
  }
}
