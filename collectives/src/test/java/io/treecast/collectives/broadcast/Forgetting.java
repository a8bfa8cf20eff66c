package io.treecast.collectives.broadcast;

import java.util.Collection;
import java.util.List;
import java.util.Random;

/** The state of relays long after the incarnations of others are over. */
final class Forgetting {
  /** Longer than any run before its end. */
  static final long FORGET_NANOS = 1L << 60;

  private Forgetting() {}

  /**
   * Lets a long time pass for some of the nodes.
   *
   * @param nowNanos the time by then
   * @return how many messages the subscribers of each node had by then
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

  /**
   * Returns the number of messages that subscribers received, or were notified of as missed or
   * abandoned.
   */
  static long handedOver(SimulatedNode node) {
    BroadcastCounters counters = node.relay.counters();
    return counters.deliveredMessages()
        + counters.abandonedMessages()
        + counters.missedMessages().values().stream().mapToLong(Long::longValue).sum();
  }
}
