package io.treecast.collectives.broadcast;

import java.util.Collection;
import java.util.List;
import java.util.Random;

/** What happens to relays long after the lives of others are over. */
final class Forgetting {
  /** Longer than any run before its end. */
  static final long FORGET_NANOS = 1L << 60;

  private Forgetting() {}

  /**
   * For some of the nodes a long time has passed.
   *
   * @param nowNanos by then
   * @return of each node, how many messages its subscribers had by then
   */
  static List<Long> some(
      Collection<SimulatedNode> nodes, long nowNanos, Random random, RunCoverage coverage) {
    for (SimulatedNode node : nodes) {
      int known = node.relay.positions().size();
      if (random.nextBoolean()) {
        node.relay.tick(nowNanos);
      }
      if (node.relay.positions().size() < known) {
        coverage.count("forgotten");
      }
    }
    return nodes.stream().map(Forgetting::handedOver).toList();
  }

  /** Messages that subscribers were handed, or told that they are missed or abandoned. */
  static long handedOver(SimulatedNode node) {
    BroadcastCounters counters = node.relay.counters();
    return counters.deliveredMessages()
        + counters.abandonedMessages()
        + counters.missedMessages().values().stream().mapToLong(Long::longValue).sum();
  }
}
