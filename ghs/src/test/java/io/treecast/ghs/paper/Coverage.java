package io.treecast.ghs.paper;

import java.util.Map;
import java.util.TreeMap;

/** How often the successful runs met each situation, so that a test can demand that they did. */
final class Coverage {
  private final Map<String, Long> counts = new TreeMap<>();

  void add(Topology topology, SimulatedNetwork network) {
    int size = topology.nodes().size();
    count("runs", 1);
    count(size == 1 ? "runs of 1 node" : size == 2 ? "runs of 2 nodes" : "runs of more nodes", 1);
    count("runs of 200 nodes or more", size >= 200 ? 1 : 0);
    network.sentByType().forEach((type, sent) -> count("sent " + type, sent));
    network.deferredByType().forEach((type, deferred) -> count("deferred " + type, deferred));
  }

  private void count(String situation, long times) {
    counts.merge(situation, times, Long::sum);
  }

  Map<String, Long> counts() {
    return counts;
  }
}
