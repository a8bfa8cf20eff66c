package io.treecast.cli.reproduce;

import io.treecast.testkit.network.Topology.Link;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

/**
 * A tree as indented lines, each node below its neighbour towards the root, lightest edge first.
 * Leaves with the same weight below one node share a line. Stateless.
 */
final class TreeLines {
  private TreeLines() {}

  static String of(Collection<Link> edges, int root) {
    Map<Integer, List<Link>> at = new TreeMap<>();
    for (Link edge : edges) {
      at.computeIfAbsent(edge.low(), node -> new ArrayList<>()).add(edge);
      at.computeIfAbsent(edge.high(), node -> new ArrayList<>()).add(edge);
    }
    at.values()
        .forEach(
            list ->
                list.sort(
                    Comparator.comparingLong(Link::rttMicros)
                        .thenComparingInt(Link::low)
                        .thenComparingInt(Link::high)));
    StringBuilder text = new StringBuilder().append(root).append('\n');
    below(at, root, root, "  ", text);
    return text.toString();
  }

  private static void below(
      Map<Integer, List<Link>> at, int node, int parent, String indent, StringBuilder text) {
    List<Integer> leaves = new ArrayList<>();
    long leafMicros = 0;
    for (Link edge : at.getOrDefault(node, List.of())) {
      int child = edge.low() == node ? edge.high() : edge.low();
      if (child == parent) {
        continue;
      }
      boolean isLeaf = at.getOrDefault(child, List.of()).size() == 1;
      if (isLeaf && (leaves.isEmpty() || edge.rttMicros() == leafMicros)) {
        leaves.add(child);
        leafMicros = edge.rttMicros();
        continue;
      }
      flush(leaves, leafMicros, indent, text);
      if (isLeaf) {
        leaves.add(child);
        leafMicros = edge.rttMicros();
      } else {
        line(indent, Integer.toString(child), edge.rttMicros(), text);
        below(at, child, node, indent + "  ", text);
      }
    }
    flush(leaves, leafMicros, indent, text);
  }

  private static void flush(
      List<Integer> leaves, long rttMicros, String indent, StringBuilder text) {
    if (!leaves.isEmpty()) {
      String names = String.join(", ", leaves.stream().map(String::valueOf).toList());
      line(indent, names, rttMicros, text);
      leaves.clear();
    }
  }

  private static void line(String indent, String names, long rttMicros, StringBuilder text) {
    text.append(
        String.format(
            Locale.ROOT,
            "%s%s  (%s ms)%n",
            indent,
            names,
            rttMicros % 1000 == 0 ? rttMicros / 1000 : String.valueOf(rttMicros / 1e3)));
  }
}
