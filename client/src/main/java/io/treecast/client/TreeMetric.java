package io.treecast.client;

/** The metric by which a tree is the best. */
public enum TreeMetric {
  /** Round trips: the tree that carries all but uploads. */
  LATENCY,
  /** Throughput: the widest tree, which carries uploads. */
  BANDWIDTH
}
