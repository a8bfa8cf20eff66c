package io.treecast.testkit.junit;

import io.treecast.testkit.cluster.BroadcastVerdict;
import io.treecast.testkit.cluster.Cluster;
import io.treecast.testkit.cluster.ClusterHistory;
import io.treecast.testkit.cluster.ClusterHistory.Commit;
import io.treecast.testkit.cluster.Rest;
import io.treecast.testkit.cluster.TreeVerdict;
import io.treecast.testkit.run.ScheduleRunner;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.assertj.core.api.AbstractAssert;

/**
 * Assertions of a cluster. Each first waits until the cluster is at rest, up to the lesser of
 * {@link ScheduleRunner#MAX_REST_MILLIS} and {@link Cluster#patienceMillis} of the cluster's time.
 */
public final class ClusterAssert extends AbstractAssert<ClusterAssert, Cluster> {
  ClusterAssert(Cluster cluster) {
    super(cluster, ClusterAssert.class);
  }

  /** Asserts that the cluster is at rest. */
  public ClusterAssert isAtRest() {
    isNotNull();
    long beforeNanos = actual.nowNanos();
    long maxMillis = Math.min(ScheduleRunner.MAX_REST_MILLIS, actual.patienceMillis());
    if (!actual.runUntilAtRest(maxMillis)) {
      failWithMessage(
          "the cluster is not at rest after %.1f s of its time: %s",
          (actual.nowNanos() - beforeNanos) / 1e9, whyNot());
    }
    return this;
  }

  private String whyNot() {
    if (Thread.currentThread().isInterrupted()) {
      return "the test was interrupted, perhaps by a timeout";
    }
    return Rest.awaitedCondition(actual);
  }

  /**
   * Asserts that in each component of the present network all members have committed the same tree,
   * and that two independent oracles confirm it as the minimum spanning tree of the agreed weights.
   */
  public ClusterAssert isMinimumSpanningTree() {
    isAtRest();
    TreeVerdict verdict = TreeVerdict.of(actual);
    if (!verdict.minimal()) {
      failWithMessage("not the minimum spanning tree: %s", verdict.problems());
    }
    return this;
  }

  /**
   * Asserts that every subscriber has received each broadcast that it is owed (see {@link
   * BroadcastVerdict}) exactly once.
   */
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

  /**
   * Asserts that a committed tree has an edge between two nodes.
   *
   * @throws IllegalArgumentException if there is no such node, or no link between them, as faults
   *     do
   */
  public ClusterAssert hasTreeEdge(int one, int other) {
    isLink(one, other);
    isAtRest();
    TreeVerdict verdict = TreeVerdict.of(actual);
    if (!verdict.hasEdge(one, other)) {
      failWithMessage("no tree has the edge %d-%d: %s", one, other, verdict.treesText());
    }
    return this;
  }

  /**
   * Asserts that no committed tree has an edge between two nodes.
   *
   * @throws IllegalArgumentException if there is no such node, or no link between them, as faults
   *     do
   */
  public ClusterAssert hasNoTreeEdge(int one, int other) {
    isLink(one, other);
    isAtRest();
    TreeVerdict verdict = TreeVerdict.of(actual);
    if (verdict.hasEdge(one, other)) {
      failWithMessage("a tree has the edge %d-%d: %s", one, other, verdict.treesText());
    }
    return this;
  }

  /** Rejects an edge that no tree can have: an assertion on it would be meaningless. */
  private void isLink(int one, int other) {
    isNotNull();
    actual.network().checkLink(one, other);
  }

  /**
   * Asserts that members have committed a tree with other edges since a time, with a given cause
   * among its causes.
   *
   * @param sinceNanos by {@link Cluster#nowNanos}
   * @param cause {@code member-started}, {@code tree-link-lost}, {@code tree-edge-worsened}, {@code
   *     lighter-link} or {@code link-to-non-member}; as in the client's {@code TreeChange}
   * @throws IllegalArgumentException for any other cause
   */
  public ClusterAssert hasReconfiguredSince(long sinceNanos, String cause) {
    List<String> causes = ClusterHistory.allCauses();
    if (!causes.contains(cause)) {
      throw new IllegalArgumentException(
          "'" + cause + "' is not a cause; the causes are " + causes);
    }
    isAtRest();
    Set<String> seen = causes(actual.history().reconfigurationsSince(sinceNanos));
    if (!seen.contains(cause)) {
      failWithMessage(
          "in the last %.3f s of its time nothing was reconfigured because of '%s', only because of"
              + " %s",
          (actual.nowNanos() - sinceNanos) / 1e9, cause, seen);
    }
    return this;
  }

  /**
   * Asserts that no member has committed a tree with other edges since a time by {@link
   * Cluster#nowNanos}.
   */
  public ClusterAssert hasNotReconfiguredSince(long sinceNanos) {
    isAtRest();
    List<Commit> seen = actual.history().reconfigurationsSince(sinceNanos);
    if (!seen.isEmpty()) {
      failWithMessage("it was reconfigured because of %s", causes(seen));
    }
    return this;
  }

  private static Set<String> causes(List<Commit> commits) {
    Set<String> causes = new TreeSet<>();
    commits.forEach(commit -> causes.addAll(commit.causeLabels()));
    return causes;
  }
}
