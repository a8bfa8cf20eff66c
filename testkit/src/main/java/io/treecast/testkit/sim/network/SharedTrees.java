package io.treecast.testkit.sim.network;

import io.treecast.agent.wire.delta.TreeSharing;
import io.treecast.ghs.Round;
import io.treecast.mst.CommittedView;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Predicate;
import java.util.function.Supplier;

/**
 * The committed trees of simulated agents, one shared copy of each. Separate copies of a tree of a
 * thousand members at a thousand agents would take a gigabyte. The oldest trees are evicted, and
 * copied again if needed.
 */
final class SharedTrees implements TreeSharing {
  /** Limit of shared trees. */
  private static final int MAX_TREES = 64;

  private final Map<Round, CommittedView> trees =
      new LinkedHashMap<>() {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<Round, CommittedView> eldest) {
          return size() > MAX_TREES;
        }
      };

  @Override
  public CommittedView shared(
      Round round, Predicate<CommittedView> isEqual, Supplier<CommittedView> made) {
    CommittedView known = trees.get(round);
    if (known != null && isEqual.test(known)) {
      return known;
    }
    CommittedView tree = made.get();
    trees.putIfAbsent(round, tree);
    return tree;
  }
}
