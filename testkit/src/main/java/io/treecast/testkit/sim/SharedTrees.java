package io.treecast.testkit.sim;

import io.treecast.mst.CommittedView;
import io.treecast.mst.Round;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * The committed trees that simulated agents know, one copy of each for all of them: a thousand
 * agents with a copy each of the same thousand members would take a gigabyte. Forgets the oldest,
 * of which there are copies again then.
 */
final class SharedTrees {
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

  /** The copy that is shared, which is equal to this one. */
  CommittedView shared(CommittedView tree) {
    CommittedView known = trees.putIfAbsent(tree.round(), tree);
    return tree.equals(known) ? known : tree;
  }
}
