package io.treecast.agent.wire.delta;

import io.treecast.ghs.Round;
import io.treecast.mst.CommittedView;
import java.util.function.Predicate;
import java.util.function.Supplier;

/**
 * Shares committed trees among the codecs of agents in one address space. Used by the threads of
 * those codecs.
 */
@FunctionalInterface
public interface TreeSharing {
  /** No sharing: each codec has its own. */
  TreeSharing NONE = (round, isEqual, made) -> made.get();

  /**
   * Returns a tree equal to the one that a codec received.
   *
   * @param round the search that committed it
   * @param isEqual whether a tree of that round is equal to it
   * @param made makes it
   */
  CommittedView shared(Round round, Predicate<CommittedView> isEqual, Supplier<CommittedView> made);
}
