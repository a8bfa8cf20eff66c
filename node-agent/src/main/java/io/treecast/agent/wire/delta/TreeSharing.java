package io.treecast.agent.wire.delta;

import io.treecast.ghs.Round;
import io.treecast.mst.CommittedView;
import java.util.function.Predicate;
import java.util.function.Supplier;

/**
 * Shares committed trees among the codecs of agents in one process, to save memory. Called on the
 * threads of these codecs.
 */
@FunctionalInterface
public interface TreeSharing {
  /** No sharing: each codec creates its own trees. */
  TreeSharing NONE = (round, isEqual, made) -> made.get();

  /**
   * Returns a tree equal to the one that a codec received.
   *
   * @param round the round that committed the tree
   * @param isEqual whether a tree of that round is equal to it
   * @param made creates the tree
   */
  CommittedView shared(Round round, Predicate<CommittedView> isEqual, Supplier<CommittedView> made);
}
