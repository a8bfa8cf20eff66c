package io.treecast.agent.core.message;

/** What a tree is the best of. */
public enum TreeMetric {
  /** Round trips: the tree that carries all but uploads. */
  LATENCY,
  /** Throughput: the widest tree, which carries uploads. */
  BANDWIDTH
}
