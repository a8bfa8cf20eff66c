package io.treecast.collectives.group;

import io.treecast.collectives.broadcast.tree.TreeEpoch;
import io.treecast.collectives.group.GroupMessage.Part;
import io.treecast.collectives.group.GroupMessage.Report;
import io.treecast.ghs.NodeId;
import java.util.Collection;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** The groups of a subtree, as reported on one stream: by a child, or to the parent. */
final class Subtree {
  /** The most members and watchers of all groups of a subtree. */
  static final int MAX_ENTRIES = Groups.MAX_LOCAL * GroupMessage.MAX_ENTRIES;

  static final Below NOTHING = new Below();

  /** The members of a group in the subtree, and whether an application in it watches the group. */
  static final class Below {
    final TreeSet<NodeId> members = new TreeSet<>();
    boolean isWatched;

    boolean isNothing() {
      return members.isEmpty() && !isWatched;
    }

    /** Returns the changes that turn an earlier state into this one; null if there are none. */
    @Nullable Part since(Below before, GroupPath path) {
      SortedSet<NodeId> added = without(members, before.members);
      SortedSet<NodeId> removed = without(before.members, members);
      return added.isEmpty() && removed.isEmpty() && isWatched == before.isWatched
          ? null
          : new Part(path, isWatched, added, removed);
    }
  }

  private final TreeMap<GroupPath, Below> groups = new TreeMap<>();
  private final TreeEpoch epoch;
  private int entries;

  Subtree(TreeEpoch epoch) {
    this.epoch = epoch;
  }

  static SortedSet<NodeId> without(SortedSet<NodeId> some, SortedSet<NodeId> others) {
    TreeSet<NodeId> rest = new TreeSet<>(some);
    others.forEach(rest::remove);
    return rest;
  }

  /** Returns whether it is a report for this tree. */
  boolean isFor(@Nullable TreeEpoch tree) {
    return epoch.equals(tree);
  }

  /** Adds a part of a report. Returns false if it breaks a rule of reports. */
  boolean add(Report report) {
    if (!epoch.equals(report.epoch())) {
      return false;
    }
    report.parts().forEach(this::put);
    return entries <= MAX_ENTRIES;
  }

  void put(Part part) {
    Below below = groups.computeIfAbsent(part.path(), path -> new Below());
    entries -= entriesOf(below);
    below.members.addAll(part.added());
    part.removed().forEach(below.members::remove);
    below.isWatched = part.watched();
    entries += entriesOf(below);
    if (below.isNothing()) {
      groups.remove(part.path());
    }
  }

  private static int entriesOf(Below below) {
    return below.members.size() + (below.isWatched ? 1 : 0);
  }

  Below of(GroupPath path) {
    return groups.getOrDefault(path, NOTHING);
  }

  Collection<GroupPath> paths() {
    return groups.keySet();
  }
}
