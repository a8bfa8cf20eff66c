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
 * Assertions of a cluster. Each first lets time pass until the cluster is at rest, at most {@link
 * ScheduleRunner#MAX_REST_MILLIS} of its time, and {@link Cluster#patienceMillis}.
 */
public final class ClusterAssert extends AbstractAssert<ClusterAssert, Cluster> {
  ClusterAssert(Cluster cluster) {
    super(cluster, ClusterAssert.class);
  }

  /** Nothing is going to change by itself any more. */
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
    return Rest.whatWasAwaited(actual);
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

  /**
   * Asserts that every subscriber got each broadcast that it is owed (see {@link BroadcastVerdict})
   * exactly once.
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

  /** An edge that no tree can have is a mistake of the test, whose result would mean nothing. */
  private void isLink(int one, int other) {
    isNotNull();
    actual.network().checkLink(one, other);
  }

  /**
   * Members have committed a tree of other edges since a time, and this is among what led to it.
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

  /** Members have committed no tree of other edges since a time, by {@link Cluster#nowNanos}. */
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
