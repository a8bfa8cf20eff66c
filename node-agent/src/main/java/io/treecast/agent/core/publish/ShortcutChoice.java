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
 * Chooses a publisher's shortcuts: links beside the tree on which it sends copies of its messages
 * ahead of the tree. The minimum spanning tree minimizes the sum of its edges, not the length of
 * its paths, which may be several times longer than a direct link. A few direct links of the
 * publisher remove most of this excess, since a member that receives a message by a shortcut
 * forwards it along the tree in all directions.
 *
 * <p>Shortcuts are chosen one by one: the link with which the last member receives a message
 * soonest, and among equal links the one with the least sum of all members' times. The choice ends
 * when the gain is not worth a copy. This is a greedy approximation of a tree that is both light
 * and shallow (Khuller, Raghavachari and Young, 'Balancing minimum spanning trees and shortest-path
 * trees', 1995), rooted at the publisher. It needs only what each member knows: the tree and its
 * own links.
 */
final class ShortcutChoice {
  /** The least gain of a shortcut, in microseconds of round trip. */
  static final long LEAST_GAIN_MICROS = 1_000;

  /** The least gain, relative to the time without the shortcut, as a divisor of that time. */
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
   * Returns the other ends of the shortcuts, in the order of their choice.
   *
   * @param self the publisher, a member of the tree
   * @param rttMicros the round trips of its links, by their other ends
   * @param most the maximum number of shortcuts
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
   * Returns when each member receives a message along the tree if {@code first} has it after {@code
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
