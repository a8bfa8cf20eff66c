package io.treecast.agent.core;

import io.treecast.mst.CommittedTree;
import org.jspecify.annotations.Nullable;

/**
 * Where an agent stands with the tree.
 *
 * @param phase the phase
 * @param tree the last committed tree, or null before the first
 * @param reason why there is no tree, for a person; empty when there is one
 */
public record TreeStatus(TreePhase phase, @Nullable CommittedTree tree, String reason) {
  /** Whether there is a tree to broadcast on, be it that the next one is being made. */
  public boolean ready() {
    return tree != null;
  }
}
