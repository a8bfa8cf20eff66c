package io.treecast.testkit.junit;

import io.treecast.testkit.cluster.Cluster;

/** Where assertions of clusters begin: {@code assertThat(cluster).isMinimumSpanningTree()}. */
public final class ClusterAssertions {
  private ClusterAssertions() {}

  /** Assertions of a cluster. */
  public static ClusterAssert assertThat(Cluster cluster) {
    return new ClusterAssert(cluster);
  }
}
