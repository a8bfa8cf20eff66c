package io.treecast.mst;

import org.jspecify.annotations.Nullable;

/**
 * Where a node's tree protocol stands.
 *
 * @param phase the phase
 * @param tree the last committed tree, or null before the first
 * @param reason why there is no usable tree, for a person; empty when there is one
 */
public record TreeStatus(TreePhase phase, @Nullable CommittedTree tree, String reason) {
  /** Whether there is a committed tree that nothing is known to be wrong with. */
  public boolean ready() {
    return phase == TreePhase.COMMITTED;
  }

  /** Whether nothing that can still happen brings a tree. */
  public boolean isFinal() {
    return phase == TreePhase.BROKEN;
  }
}
