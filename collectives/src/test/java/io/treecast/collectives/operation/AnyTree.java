package io.treecast.collectives.operation;

import io.treecast.ghs.LinkWeight;
import io.treecast.ghs.NodeId;
import io.treecast.mst.CommittedTree;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.Set;

/** Draws committed trees at random, each version newer than those before. */
final class AnyTree {
  private final Random random;
  private long version;

  AnyTree(Random random) {
    this.random = random;
  }

  /** Returns trees that have each of these members in one of them. */
  List<CommittedTree> over(Iterable<NodeId> members, boolean whole) {
    return over(members, whole, Set.of());
  }

  /** Returns such trees, one of which has all of {@code neverApart}. */
  List<CommittedTree> over(Iterable<NodeId> members, boolean whole, Set<NodeId> neverApart) {
    List<NodeId> alive = new ArrayList<>();
    members.forEach(alive::add);
    Collections.shuffle(alive, random);
    int parts = whole || random.nextBoolean() ? 1 : 1 + random.nextInt(alive.size());
    List<List<NodeId>> split = new ArrayList<>();
    for (int i = 0; i < parts; i++) {
      split.add(new ArrayList<>());
    }
    for (int i = 0; i < alive.size(); i++) {
      split.get(i < parts ? i : random.nextInt(parts)).add(alive.get(i));
    }
    if (parts > 1 && !neverApart.isEmpty()) {
      int home = random.nextInt(parts);
      split.forEach(part -> part.removeAll(neverApart));
      alive.stream().filter(neverApart::contains).forEach(split.get(home)::add);
      split.removeIf(List::isEmpty);
    }
    version++;
    return split.stream().map(this::of).toList();
  }

  private CommittedTree of(List<NodeId> part) {
    if (random.nextBoolean()) {
      version++; // Some parts have trees of the same version, not of the same root.
    }
    List<LinkWeight> edges = new ArrayList<>();
    for (int i = 1; i < part.size(); i++) {
      edges.add(LinkWeight.between(part.get(i), part.get(random.nextInt(i)), 1_000));
    }
    return new CommittedTree(version, part.get(random.nextInt(part.size())), edges);
  }
}
