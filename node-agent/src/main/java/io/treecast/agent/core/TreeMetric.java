package io.treecast.agent.core;

/** What a tree is the best of. */
public enum TreeMetric {
  /** Round trips: the tree that carries broadcasts. */
  LATENCY,
  /** Throughput: the widest tree. */
  BANDWIDTH
}
