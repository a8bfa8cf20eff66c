package io.treecast.testkit.junit;

import io.treecast.testkit.cluster.BroadcastVerdict;
import io.treecast.testkit.cluster.Cluster;
import io.treecast.testkit.cluster.TreeVerdict;
import io.treecast.testkit.run.ScheduleRunner;
import org.assertj.core.api.AbstractAssert;

/**
 * Assertions of a cluster. Each first lets time pass until the cluster is at rest, at most {@link
 * ScheduleRunner#MAX_REST_MILLIS} of its time.
 */
public final class ClusterAssert extends AbstractAssert<ClusterAssert, Cluster> {
  ClusterAssert(Cluster cluster) {
    super(cluster, ClusterAssert.class);
  }

  /** Nothing is going to change by itself any more. */
  public ClusterAssert isAtRest() {
    isNotNull();
    if (!actual.runUntilAtRest(ScheduleRunner.MAX_REST_MILLIS)) {
      failWithMessage(
          "the cluster is not at rest after %d s of its time: %s",
          ScheduleRunner.MAX_REST_MILLIS / 1_000, TreeVerdict.of(actual).problems());
    }
    return this;
  }

  /**
   * In each component of the network as it is now all members have committed the same tree, and it
   * is the minimum spanning tree of the weights that they agree on, by two independent oracles.
   */
  public ClusterAssert isMinimumSpanningTree() {
    isAtRest();
    TreeVerdict verdict = TreeVerdict.of(actual);
    if (!verdict.minimal()) {
      failWithMessage("not the minimum spanning tree: %s", verdict.problems());
    }
    return this;
  }

  /** Nobody missed a broadcast that it is owed (see {@link BroadcastVerdict}), or got one twice. */
  public ClusterAssert everyBroadcastDeliveredOnce() {
    isAtRest();
    BroadcastVerdict verdict = BroadcastVerdict.of(actual);
    if (!verdict.everyBroadcastDeliveredOnce()) {
      failWithMessage(
          "of %d broadcasts %d deliveries were repeated, and these were lost: %s",
          verdict.published(), verdict.duplicated(), verdict.lost());
    }
    return this;
  }
}
