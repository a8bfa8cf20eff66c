package io.treecast.client;

/** The metric that a tree minimizes or maximizes. */
public enum TreeMetric {
  /** Round trips: the tree that carries all but uploads. */
  LATENCY,
  /** Throughput: the widest tree, which carries uploads. */
  BANDWIDTH
}
