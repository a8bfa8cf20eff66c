package io.treecast.testkit.junit;

import static io.treecast.testkit.junit.ClusterAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.treecast.mst.ChangeCause;
import io.treecast.testkit.cluster.Cluster;
import io.treecast.testkit.cluster.ClusterHistory;
import io.treecast.testkit.network.Topology;
import io.treecast.testkit.network.Topology.Link;
import io.treecast.testkit.run.ScheduleRunner;
import io.treecast.testkit.sim.SimCluster;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Proxy;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Assertions about a tree's edges and reconfigurations, and the failures of their opposites. */
class ClusterAssertTest {
  /** A triangle whose tree has the edges 0-1 and 1-2. */
  private final SimCluster cluster =
      new SimCluster(
          Topology.of(
              3, List.of(new Link(0, 1, 20_000), new Link(1, 2, 30_000), new Link(0, 2, 90_000))),
          1);

  @BeforeEach
  void ready() {
    cluster.runUntilReady(ScheduleRunner.MAX_BUILD_MILLIS);
  }

  @AfterEach
  void close() {
    cluster.close();
  }

  @Test
  void edges_of_the_tree_are_distinguished_from_other_links() {
    assertThat(cluster).hasTreeEdge(1, 0).hasTreeEdge(1, 2).hasNoTreeEdge(0, 2);

    assertThatThrownBy(() -> assertThat(cluster).hasTreeEdge(0, 2))
        .isInstanceOf(AssertionError.class)
        .hasMessageEndingWith(" 0-2: v1 root 1: 0-1 1-2");
    assertThatThrownBy(() -> assertThat(cluster).hasNoTreeEdge(2, 1))
        .isInstanceOf(AssertionError.class)
        .hasMessageEndingWith(" 2-1: v1 root 1: 0-1 1-2");
  }

  @Test
  void an_edge_that_no_tree_can_have_is_a_mistake_of_the_test() {
    for (int[] ends : new int[][] {{0, 3}, {-1, 2}, {3, 0}}) {
      assertThatIllegalArgumentException()
          .isThrownBy(() -> assertThat(cluster).hasNoTreeEdge(ends[0], ends[1]))
          .withMessageMatching(".*node (3|-1)\\b.*");
      assertThatIllegalArgumentException()
          .isThrownBy(() -> assertThat(cluster).hasTreeEdge(ends[0], ends[1]));
    }
    assertThatIllegalArgumentException()
        .isThrownBy(() -> assertThat(cluster).hasNoTreeEdge(2, 2))
        .withMessageContaining("nodes 2 and 2");
  }

  @Test
  void
      the_history_tells_faults_and_which_edges_a_commit_changed_and_why_and_not_what_links_weigh() {
    atRest();
    cluster.links().cut(1, 2);
    atRest();

    List<String> lines = cluster.history().lastLines(ClusterHistory.MAX_LINES);
    assertThat(lines)
        .anyMatch(line -> line.endsWith(" cut 1-2"))
        .anyMatch(line -> line.endsWith(", 2 edges, -1-2 +0-2 [tree-link-lost]"))
        .anyMatch(line -> line.matches(".*node 0: .*\\b2\\b.*"))
        .noneMatch(line -> line.contains(" weighs "));
  }

  @Test
  void a_cut_reconfigures_because_a_link_of_the_tree_is_lost() {
    long beforeNanos = atRest();
    cluster.links().cut(1, 2);

    assertThat(cluster)
        .hasReconfiguredSince(beforeNanos, "tree-link-lost")
        .hasNoTreeEdge(1, 2)
        .hasTreeEdge(0, 2);

    assertThatThrownBy(() -> assertThat(cluster).hasReconfiguredSince(beforeNanos, "lighter-link"))
        .isInstanceOf(AssertionError.class)
        .hasMessageContainingAll("'lighter-link'", "[tree-link-lost]");
    assertThatThrownBy(() -> assertThat(cluster).hasNotReconfiguredSince(beforeNanos))
        .isInstanceOf(AssertionError.class)
        .hasMessageContaining("[tree-link-lost]");
  }

  @Test
  void earlier_reconfigurations_do_not_count() {
    long beforeNanos = atRest();
    cluster.links().cut(0, 2);

    assertThat(cluster).hasNotReconfiguredSince(beforeNanos);
    assertThatThrownBy(
            () -> assertThat(cluster).hasReconfiguredSince(beforeNanos, "member-started"))
        .isInstanceOf(AssertionError.class)
        .hasMessageContaining("[]");
    assertThat(cluster).hasReconfiguredSince(0, "member-started");
  }

  @Test
  void a_repair_that_chooses_the_same_edges_does_not_reconfigure() {
    long beforeNanos = atRest();
    cluster.links().rtt(0, 1, 35);
    atRest();

    assertThat(cluster.history().commitsSince(beforeNanos))
        .anyMatch(commit -> commit.causes().contains(ChangeCause.TREE_EDGE_WORSENED));
    assertThat(cluster).hasNotReconfiguredSince(beforeNanos).hasTreeEdge(0, 1);
    assertThatThrownBy(
            () -> assertThat(cluster).hasReconfiguredSince(beforeNanos, "tree-edge-worsened"))
        .isInstanceOf(AssertionError.class)
        .hasMessageContaining("[]");
  }

  @Test
  void a_failed_wait_reports_its_duration_and_reason() {
    atRest();
    cluster.links().rtt(0, 1, 500);
    assertThatThrownBy(() -> assertThat(impatient()).isAtRest())
        .isInstanceOf(AssertionError.class)
        .hasMessageContaining("2.0 s")
        .hasMessageNotContaining("node ");

    cluster.links().cut(0, 1);
    assertThatThrownBy(() -> assertThat(impatient()).isAtRest())
        .isInstanceOf(AssertionError.class)
        .hasMessageContainingAll("2.0 s", "node 0 ", " 1 ");

    Thread.currentThread().interrupt();
    assertThatThrownBy(() -> assertThat(impatient()).isAtRest())
        .isInstanceOf(AssertionError.class)
        .hasMessageContaining("interrupted");
    assertThat(Thread.interrupted()).isTrue();
  }

  /** Returns this cluster with a timeout of two seconds. */
  private Cluster impatient() {
    InvocationHandler handler =
        (proxy, method, arguments) ->
            method.getName().equals("patienceMillis") ? 2_000L : method.invoke(cluster, arguments);
    return (Cluster)
        Proxy.newProxyInstance(
            Cluster.class.getClassLoader(), new Class<?>[] {Cluster.class}, handler);
  }

  @Test
  void a_cause_that_there_is_not_is_a_mistake_of_the_test() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> assertThat(cluster).hasReconfiguredSince(0, "link-lost"))
        .withMessageContainingAll("'link-lost'", "member-started", "tree-link-lost");
  }

  private long atRest() {
    assertThat(cluster).isAtRest();
    return cluster.nowNanos();
  }
}
