package io.treecast.mst;

import io.treecast.ghs.NodeId;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The last tree that each node committed, against which the next one is checked. */
final class LastTrees {
  private final @Nullable CommittedTree[] trees;

  /** The trees that had been announced when each node started again. */
  private final List<Set<TreeName>> older;

  /** The trees that have been announced. Each set is immutable: copies share it. */
  private Set<TreeName> announced;

  LastTrees(int size) {
    this(new CommittedTree[size], Collections.nCopies(size, Set.of()), Set.of());
  }

  private LastTrees(
      @Nullable CommittedTree[] trees, List<Set<TreeName>> older, Set<TreeName> announced) {
    this.trees = trees;
    this.older = new ArrayList<>(older);
    this.announced = announced;
  }

  LastTrees copy() {
    return new LastTrees(trees.clone(), older, announced);
  }

  /** A node without memory starts. */
  void forget(int index) {
    trees[index] = null;
    older.set(index, announced);
  }

  /**
   * Checks that versions grow, that a root announces no new version of the tree that all its
   * members have, and that a member that starts again leads to a new tree.
   *
   * @throws AssertionError if not
   */
  void committed(int index, NodeId node, CommittedTree tree, Collection<AdaptiveTree> alive) {
    if (older.get(index).contains(tree.name())) {
      throw new AssertionError(node + " committed " + tree + ", which is older than itself");
    }
    if (!announced.contains(tree.name())) {
      Set<TreeName> more = new HashSet<>(announced);
      more.add(tree.name());
      announced = more;
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
