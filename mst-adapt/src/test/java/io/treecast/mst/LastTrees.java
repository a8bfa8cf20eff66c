package io.treecast.mst;

import io.treecast.ghs.NodeId;
import java.util.Arrays;
import java.util.Collection;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** The last tree that each node committed, against which the next one is checked. */
final class LastTrees {
  private final @Nullable CommittedTree[] trees;

  LastTrees(int size) {
    this(new CommittedTree[size]);
  }

  private LastTrees(@Nullable CommittedTree[] trees) {
    this.trees = trees;
  }

  LastTrees copy() {
    return new LastTrees(trees.clone());
  }

  /** A node without memory starts. */
  void forget(int index) {
    trees[index] = null;
  }

  /**
   * Checks that versions grow, and that a root announces no new version of the tree that all its
   * members have.
   *
   * @throws AssertionError if not
   */
  void committed(int index, NodeId node, CommittedTree tree, Collection<AdaptiveTree> alive) {
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
