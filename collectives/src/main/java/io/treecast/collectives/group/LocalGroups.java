package io.treecast.collectives.group;

import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/** The groups that applications of this member have joined or watch, with a count for each. */
final class LocalGroups {
  /** The joined paths and their wholes. */
  private final TreeMap<GroupPath, Integer> joined = new TreeMap<>();

  private final TreeMap<GroupPath, Integer> watched = new TreeMap<>();

  /** Returns whether the limit allows one more membership. */
  boolean mayJoin(GroupPath path) {
    return hasRoomFor(joined, path.withWholes());
  }

  /** Returns whether the limit allows one more watcher. */
  boolean mayWatch(GroupPath path) {
    return hasRoomFor(watched, List.of(path));
  }

  private boolean hasRoomFor(Map<GroupPath, Integer> counts, Collection<GroupPath> paths) {
    long more = paths.stream().filter(path -> !counts.containsKey(path)).count();
    return joined.size() + watched.size() + more <= Groups.MAX_LOCAL;
  }

  void join(GroupPath path) {
    path.withWholes().forEach(whole -> joined.merge(whole, 1, Integer::sum));
  }

  void leave(GroupPath path) {
    path.withWholes().forEach(whole -> less(joined, whole));
  }

  void watch(GroupPath path) {
    watched.merge(path, 1, Integer::sum);
  }

  void unwatch(GroupPath path) {
    less(watched, path);
  }

  private static void less(Map<GroupPath, Integer> counts, GroupPath path) {
    counts.computeIfPresent(path, (same, count) -> count == 1 ? null : count - 1);
  }

  boolean isMember(GroupPath path) {
    return joined.containsKey(path);
  }

  boolean isWatched(GroupPath path) {
    return watched.containsKey(path);
  }

  /** Returns all paths, the wholes included. */
  Set<GroupPath> paths() {
    TreeSet<GroupPath> paths = new TreeSet<>(joined.keySet());
    paths.addAll(watched.keySet());
    return paths;
  }
}
