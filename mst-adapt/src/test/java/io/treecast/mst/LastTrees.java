package io.treecast.mst;

import io.treecast.ghs.NodeId;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** The last tree that each node committed, against which the next one is checked. */
final class LastTrees {
  private final @Nullable CommittedTree[] trees;

  /** How many trees had been announced when each node started again. */
  private final int[] announcedBefore;

  /** The trees that have been announced, with the number of those before. */
  private final Map<TreeName, Integer> announced;

  LastTrees(int size) {
    this(new CommittedTree[size], new int[size], Map.of());
  }

  private LastTrees(
      @Nullable CommittedTree[] trees, int[] announcedBefore, Map<TreeName, Integer> announced) {
    this.trees = trees;
    this.announcedBefore = announcedBefore;
    this.announced = new HashMap<>(announced);
  }

  LastTrees copy() {
    return new LastTrees(trees.clone(), announcedBefore.clone(), announced);
  }

  /** A node without memory starts. */
  void forget(int index) {
    trees[index] = null;
    announcedBefore[index] = announced.size();
  }

  /**
   * Checks that versions grow, that a root announces no new version of the tree that all its
   * members have, and that a member that starts again leads to a new tree.
   *
   * @throws AssertionError if not
   */
  void committed(int index, NodeId node, CommittedTree tree, Collection<AdaptiveTree> alive) {
    Integer number = announced.putIfAbsent(tree.name(), announced.size());
    if (number != null && number < announcedBefore[index]) {
      throw new AssertionError(node + " committed " + tree + ", which is older than itself");
    }
    CommittedTree last = trees[index];
    trees[index] = tree;
    if (last == null) {
      return;
    }
    if (tree.version() <= last.version()) {
      throw new AssertionError("the version fell at " + node + " from " + last + " to " + tree);
    }
    if (tree.root().equals(node)
        && tree.edges().equals(last.edges())
        && tree.members().equals(last.members())
        && alive.stream()
                .filter(other -> !other.self().equals(node) && tree.hasMember(other.self()))
                .filter(other -> Objects.equals(other.committedTree(), last))
                .count()
            == tree.members().size() - 1) {
      throw new AssertionError(
          node + " announced " + tree + " to members that all have " + last + ", the same tree");
    }
  }

  @Override
  public String toString() {
    return Arrays.toString(trees);
  }
}
