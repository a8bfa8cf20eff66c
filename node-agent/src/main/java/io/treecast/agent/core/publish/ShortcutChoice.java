package io.treecast.agent.core.publish;

import io.treecast.ghs.LinkWeight;
import io.treecast.ghs.NodeId;
import io.treecast.mst.CommittedTree;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Chooses the links beside the tree by which a member sends what it publishes ahead of it. The
 * minimum spanning tree has the least sum of all links, not the shortest ways: the way along it may
 * be several times that of a direct link. A few direct links of the publisher take away most of
 * that, since a member that gets a message by one passes it on along the tree, in all directions.
 *
 * <p>Shortcuts are chosen one after the other: the link by which the last member has a message
 * soonest, and among equals the one with the least sum for all; as long as it is worth a copy. This
 * is a greedy way to a tree that is both light and shallow (Khuller, Raghavachari and Young,
 * 'Balancing minimum spanning trees and shortest-path trees', 1995, ask for it), for the
 * publisher's own root, and needs no more than each member knows: the tree and its own links.
 */
final class ShortcutChoice {
  /** The least gain of a shortcut, in microseconds of round trip. */
  static final long LEAST_GAIN_MICROS = 1_000;

  /** The least gain as a part of the time without it: one in this many. */
  static final long LEAST_GAIN_DIVISOR = 50;

  private final Map<NodeId, Integer> numbers = new HashMap<>();
  private final List<List<LinkWeight>> edges = new ArrayList<>();

  private ShortcutChoice(CommittedTree tree) {
    for (NodeId member : tree.members()) {
      numbers.put(member, edges.size());
      edges.add(new ArrayList<>());
    }
    for (LinkWeight edge : tree.edges()) {
      edges.get(number(edge.low())).add(edge);
      edges.get(number(edge.high())).add(edge);
    }
  }

  private int number(NodeId member) {
    return numbers.getOrDefault(member, -1);
  }

  /**
   * Returns the other ends of the shortcuts, the one with the greatest gain first.
   *
   * @param self the publisher, a member of the tree
   * @param rttMicros the round trips of its links, by their other ends
   * @param most how many there may be
   */
  static List<NodeId> of(CommittedTree tree, NodeId self, Map<NodeId, Long> rttMicros, int most) {
    return new ShortcutChoice(tree).choose(tree, self, rttMicros, most);
  }

  private List<NodeId> choose(
      CommittedTree tree, NodeId self, Map<NodeId, Long> rttMicros, int most) {
    Map<NodeId, long[]> by = new TreeMap<>();
    rttMicros.forEach(
        (peer, micros) -> {
          if (tree.hasMember(peer) && !tree.hasEdge(self, peer)) {
            by.put(peer, timesFrom(peer, micros));
          }
        });
    List<NodeId> chosen = new ArrayList<>();
    long[] times = timesFrom(self, 0);
    while (chosen.size() < most) {
      NodeId best = null;
      long[] bestTimes = times;
      for (Map.Entry<NodeId, long[]> peer : by.entrySet()) {
        long[] with = sooner(times, peer.getValue());
        if (last(with) < last(bestTimes)
            || (last(with) == last(bestTimes) && sum(with) < sum(bestTimes))) {
          best = peer.getKey();
          bestTimes = with;
        }
      }
      if (best == null || !isWorthIt(times, bestTimes)) {
        return chosen;
      }
      chosen.add(best);
      by.remove(best);
      times = bestTimes;
    }
    return chosen;
  }

  /**
   * Returns when each member has a message along the tree that {@code first} has after {@code
   * micros}.
   */
  private long[] timesFrom(NodeId first, long micros) {
    long[] times = new long[edges.size()];
    Arrays.fill(times, Long.MAX_VALUE);
    times[number(first)] = micros;
    List<NodeId> reached = new ArrayList<>(List.of(first));
    for (int i = 0; i < reached.size(); i++) {
      NodeId member = reached.get(i);
      for (LinkWeight edge : edges.get(number(member))) {
        NodeId next = edge.opposite(member);
        if (times[number(next)] == Long.MAX_VALUE) {
          times[number(next)] = times[number(member)] + edge.cost();
          reached.add(next);
        }
      }
    }
    return times;
  }

  private static long[] sooner(long[] one, long[] other) {
    long[] sooner = new long[one.length];
    Arrays.setAll(sooner, i -> Math.min(one[i], other[i]));
    return sooner;
  }

  private static boolean isWorthIt(long[] without, long[] with) {
    return isWorthIt(last(without), last(with), 1)
        || isWorthIt(sum(without), sum(with), without.length);
  }

  private static boolean isWorthIt(long without, long with, int members) {
    return without - with >= Math.max(LEAST_GAIN_MICROS * members, without / LEAST_GAIN_DIVISOR);
  }

  private static long last(long[] times) {
    return Arrays.stream(times).max().orElse(0);
  }

  private static long sum(long[] times) {
    return Arrays.stream(times).sum();
  }
}
