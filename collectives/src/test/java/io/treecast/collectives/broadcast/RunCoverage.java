package io.treecast.collectives.broadcast;

import io.treecast.collectives.broadcast.message.StreamId;
import java.util.Map;
import java.util.TreeMap;

/** The situations that runs have met, so that a sweep can require all of them. */
public final class RunCoverage {
  private final Map<String, Long> counts = new TreeMap<>();

  void count(String what) {
    counts.merge(what, 1L, Long::sum);
  }

  /** Adds the situations at a node, once all is at rest. */
  void add(SimulatedNode node) {
    if (node.windows.anyGivenBack()) {
      count("credit given back");
    }
    node.everHad.add(node.relay.positions());
    if (node.everHad.forgotten() > 0) {
      count("topic forgotten");
    }
    if (node.positions().keySet().stream().anyMatch(s -> s.lane() >= StreamId.LANES)) {
      count("topic begun again");
    }
    add(node.relay.counters());
  }

  private void add(BroadcastCounters counters) {
    add("delivered", counters.deliveredMessages());
    add("forwarded", counters.forwardedChunks());
    add("duplicate", counters.duplicateChunks());
    add("gap", counters.gaps());
    add("dropped", counters.droppedItems());
    counters.missedMessages().forEach((reason, times) -> add("missed, " + reason, times));
    add("abandoned", counters.abandonedMessages());
  }

  private void add(String what, long times) {
    if (times > 0) {
      counts.merge(what, times, Long::sum);
    }
  }

  /** Returns how often each was seen. */
  public Map<String, Long> counts() {
    return counts;
  }
}
