package io.treecast.agent.core.contract;

import io.treecast.mst.CommittedTree;
import org.jspecify.annotations.Nullable;

/**
 * Where an agent stands with the tree.
 *
 * @param phase the phase
 * @param tree the last committed tree, or null before the first
 * @param reason why it is not ready, for a person; empty when it is
 */
public record TreeStatus(TreePhase phase, @Nullable CommittedTree tree, String reason) {
  /**
   * Whether there is a tree to broadcast on that has as many members as are needed, be it that the
   * next one is being made.
   */
  public boolean ready() {
    return reason.isEmpty();
  }
}
