package io.treecast.agent.core.message;

/** The metric that a tree minimizes or maximizes. */
public enum TreeMetric {
  /** Round trips: the minimum spanning tree, which carries all messages but uploads. */
  LATENCY,
  /** Throughput: the widest tree, which carries uploads. */
  BANDWIDTH
}
