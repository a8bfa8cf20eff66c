package io.treecast.testkit.sim.network;

import io.treecast.agent.wire.delta.TreeSharing;
import io.treecast.ghs.Round;
import io.treecast.mst.CommittedView;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Predicate;
import java.util.function.Supplier;

/**
 * The committed trees that simulated agents know, one copy of each for all of them: a thousand
 * agents with a copy each of the same thousand members would take a gigabyte. Forgets the oldest,
 * of which there are copies again then.
 */
final class SharedTrees implements TreeSharing {
  /** Trees that are remembered. */
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
