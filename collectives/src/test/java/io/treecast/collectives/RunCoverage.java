package io.treecast.collectives;

import java.util.Map;
import java.util.TreeMap;

/** What runs have come across, so that a sweep can say that it has seen it all. */
final class RunCoverage {
  private final Map<String, Long> counts = new TreeMap<>();

  void count(String what) {
    counts.merge(what, 1L, Long::sum);
  }

  void add(BroadcastCounters counters) {
    add("delivered", counters.deliveredMessages());
    add("forwarded", counters.forwardedChunks());
    add("duplicate", counters.duplicateChunks());
    add("gap", counters.gaps());
    counters.missedMessages().forEach((reason, times) -> add("missed, " + reason, times));
    add("abandoned", counters.abandonedMessages());
  }

  private void add(String what, long times) {
    if (times > 0) {
      counts.merge(what, times, Long::sum);
    }
  }

  /** How often each was seen. */
  Map<String, Long> counts() {
    return counts;
  }
}
