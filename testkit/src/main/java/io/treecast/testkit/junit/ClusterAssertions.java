package io.treecast.testkit.junit;

import io.treecast.testkit.cluster.Cluster;

/** Entry point for assertions of clusters: {@code assertThat(cluster).isMinimumSpanningTree()}. */
public final class ClusterAssertions {
  private ClusterAssertions() {}

  /** Returns assertions of a cluster. */
  public static ClusterAssert assertThat(Cluster cluster) {
    return new ClusterAssert(cluster);
  }
}
