package io.treecast.testkit.sim;

import static org.assertj.core.api.Assertions.assertThat;

import io.treecast.collectives.group.GroupPath;
import io.treecast.collectives.group.GroupView;
import io.treecast.testkit.network.ReferenceNetwork;
import java.util.TreeMap;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.jspecify.annotations.Nullable;

/** Groups of the 24 agents of the reference network, in virtual time, and what they cost. */
class GroupsOnReferenceNetworkTest {
  private static final int NODES = 24;
  private static final long PATIENCE_MILLIS = 60_000;
  private static final GroupPath PATH = new GroupPath("trainers");

  private final SimCluster cluster = new SimCluster(ReferenceNetwork.topology(), 1);

  @BeforeEach
  void runUntilAtRest() {
    assertThat(cluster.runUntilAtRest(120_000)).isTrue();
  }

  private SimAgent agent(int node) {
    return cluster.agents().stream().filter(agent -> agent.node() == node).findFirst().orElseThrow();
  }

  private @Nullable GroupView view(int node) {
    TreeMap<Integer, GroupView> found = new TreeMap<>();
    agent(node)
        .group(
            groups -> {
              GroupView view = groups.view(PATH);
              if (view != null) {
                found.put(node, view);
              }
            });
    return found.get(node);
  }

  private boolean seesAll(int node, int members) {
    GroupView view = view(node);
    return view != null && view.members().size() == members;
  }

  private long sent() {
    return cluster.agents().stream().mapToLong(SimAgent::sentGroupMessages).sum();
  }

  private void join(int node, int members) {
    agent(node).group(groups -> assertThat(groups.join(PATH)).isTrue());
    assertThat(cluster.runUntil(() -> seesAll(node, members), PATIENCE_MILLIS)).isTrue();
  }

  @ParameterizedTest
  @CsvSource({"0, 0", "1, 23", "5, 23", "24, 23"})
  void a_change_of_the_tree_costs_a_report_of_each_member_and_views_on_the_ways_to_members(
      int members, int reports) {
    for (int node = 0; node < members; node++) {
      join(node, node + 1);
    }
    assertThat(cluster.runUntilAtRest(PATIENCE_MILLIS)).isTrue();
    long before = sent();

    cluster.crash(23);
    int left = members == NODES ? members - 1 : members;
    assertThat(
            cluster.runUntil(
                () -> cluster.snapshots().stream().allMatch(s -> s.tree().tree() != null && s.tree().tree().members().size() == NODES - 1),
                PATIENCE_MILLIS))
        .isTrue();
    if (members > 0) {
      assertThat(cluster.runUntil(() -> seesAll(0, left), PATIENCE_MILLIS)).isTrue();
    }
    assertThat(cluster.runUntilAtRest(PATIENCE_MILLIS)).isTrue();
    System.out.println("TREE " + members + " -> " + (sent() - before));
    assertThat(sent() - before).isLessThanOrEqualTo(3L * reports);
  }

  @Test
  void the_first_join_wakes_all_and_later_ones_go_to_the_root_and_to_members() {
    assertThat(sent()).isZero();
    for (int node = 0; node < NODES; node++) {
      long before = sent();
      join(node, node + 1);
      assertThat(cluster.runUntilAtRest(PATIENCE_MILLIS)).isTrue();
      System.out.println("JOIN " + node + " -> " + (sent() - before));
      assertThat(sent() - before).isLessThan(node == 0 ? 3 * NODES : 2 * NODES);
    }
    for (int node = 0; node < NODES; node++) {
      long before = sent();
      agent(node).group(groups -> groups.leave(PATH));
      assertThat(cluster.runUntilAtRest(PATIENCE_MILLIS)).isTrue();
      System.out.println("LEAVE " + node + " -> " + (sent() - before));
      assertThat(sent() - before).isLessThan(2 * NODES);
    }
    long before = sent();
    cluster.runUntil(() -> false, PATIENCE_MILLIS);
    assertThat(sent()).isEqualTo(before);
  }
}
