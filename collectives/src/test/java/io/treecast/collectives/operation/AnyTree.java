package io.treecast.collectives.operation;

import io.treecast.ghs.LinkWeight;
import io.treecast.ghs.NodeId;
import io.treecast.mst.CommittedTree;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;

/** Draws committed trees at random, each version newer than those before. */
final class AnyTree {
  private final Random random;
  private long version;

  /** The version of the latest tree of each node, where parts count on their own. */
  private final Map<NodeId, Long> versions = new TreeMap<>();

  AnyTree(Random random) {
    this.random = random;
  }

  /** Returns trees that have each of these members in one of them. */
  List<CommittedTree> over(Iterable<NodeId> members, boolean whole) {
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
    version++;
    return split.stream().map(this::of).toList();
  }

  /**
   * Returns a tree for each part of a random division that leaves each group together. Each part
   * counts its versions on its own, from the highest version of its members: so a later tree of one
   * part may have a lower version than an earlier tree of another.
   */
  List<CommittedTree> dividing(List<List<NodeId>> groups) {
    int parts = random.nextInt(3) == 0 ? 1 : 1 + random.nextInt(groups.size());
    TreeMap<Integer, List<NodeId>> split = new TreeMap<>();
    for (List<NodeId> group : groups) {
      split.computeIfAbsent(random.nextInt(parts), part -> new ArrayList<>()).addAll(group);
    }
    List<CommittedTree> divided = new ArrayList<>();
    for (List<NodeId> part : split.values()) {
      Collections.shuffle(part, random);
      long latest = part.stream().mapToLong(id -> versions.getOrDefault(id, 0L)).max().orElse(0);
      long next = latest + 1 + (random.nextInt(4) == 0 ? random.nextInt(8) : 0);
      part.forEach(id -> versions.put(id, next));
      divided.add(of(part, next));
    }
    return divided;
  }

  private CommittedTree of(List<NodeId> part) {
    if (random.nextBoolean()) {
      version++; // Some parts have trees of the same version, not of the same root.
    }
    return of(part, version);
  }

  private CommittedTree of(List<NodeId> part, long version) {
    List<LinkWeight> edges = new ArrayList<>();
    for (int i = 1; i < part.size(); i++) {
      edges.add(LinkWeight.between(part.get(i), part.get(random.nextInt(i)), 1_000));
    }
    return new CommittedTree(version, part.get(random.nextInt(part.size())), edges);
  }
}
