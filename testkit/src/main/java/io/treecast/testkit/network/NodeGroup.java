package io.treecast.testkit.network;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * A group of nodes, for example one side of a partition. Immutable.
 *
 * @param nodes the nodes in ascending order, at least one
 */
public record NodeGroup(List<Integer> nodes) {
  /**
   * Sorts the nodes and drops repetitions.
   *
   * @throws IllegalArgumentException if there are no nodes, or one is negative
   */
  public NodeGroup {
    SortedSet<Integer> sorted = new TreeSet<>(nodes);
    if (sorted.isEmpty() || sorted.first() < 0) {
      throw new IllegalArgumentException("a group needs nodes, from 0 on; given: " + nodes);
    }
    nodes = List.copyOf(sorted);
  }

  /** Returns the group of these nodes. */
  public static NodeGroup of(Integer... nodes) {
    return new NodeGroup(List.of(nodes));
  }

  /** Returns the group of these nodes. */
  public static NodeGroup of(Collection<Integer> nodes) {
    return new NodeGroup(List.copyOf(nodes));
  }

  /** Returns the nodes from the first to the last, both included. */
  public static NodeGroup range(int first, int last) {
    return new NodeGroup(IntStream.rangeClosed(first, last).boxed().toList());
  }

  /** Returns the group in the syntax of schedules: {@code 0-11,24}. */
  @Override
  public String toString() {
    List<int[]> runs = new ArrayList<>();
    for (int node : nodes) {
      int[] run = runs.isEmpty() ? null : runs.get(runs.size() - 1);
      if (run != null && run[1] == node - 1) {
        run[1] = node;
      } else {
        runs.add(new int[] {node, node});
      }
    }
    return runs.stream()
        .map(run -> run[0] == run[1] ? "" + run[0] : run[0] + "-" + run[1])
        .collect(Collectors.joining(","));
  }
}
