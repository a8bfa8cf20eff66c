package io.treecast.testkit.sim;

import static org.assertj.core.api.Assertions.assertThat;

import io.treecast.collectives.group.GroupPath;
import io.treecast.collectives.group.GroupView;
import io.treecast.ghs.NodeId;
import io.treecast.mst.CommittedTree;
import io.treecast.testkit.network.ReferenceNetwork;
import io.treecast.testkit.sim.network.SimSettings;
import java.util.Objects;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.ToIntFunction;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Groups of the 24 agents of the reference network in virtual time, and their cost in messages. */
class GroupsOnReferenceNetworkTest {
  private static final int NODES = 24;
  private static final long PATIENCE_MILLIS = 60_000;
  private static final GroupPath PATH = new GroupPath("trainers");

  private int checked;
  private final SimCluster cluster = new SimCluster(ReferenceNetwork.topology(), 1);

  @BeforeEach
  void runUntilAtRest() {
    assertThat(cluster.runUntilAtRest(120_000)).isTrue();
  }

  private SimAgent agent(int node) {
    return cluster.agents().stream()
        .filter(agent -> agent.node() == node)
        .findFirst()
        .orElseThrow();
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

  /** Lets messages arrive. */
  private void pass() {
    assertThat(cluster.runUntil(() -> false, 2_000)).isFalse();
  }

  private void join(int node, int members) {
    agent(node).group(groups -> assertThat(groups.join(PATH)).isTrue());
    assertThat(cluster.runUntil(() -> seesAll(node, members), PATIENCE_MILLIS)).isTrue();
  }

  @ParameterizedTest
  @Tag("nightly")
  @CsvSource("24, 22")
  void a_change_of_the_tree_costs_as_little_if_all_are_members(int members, int reports) {
    a_change_of_the_tree_costs_a_report_of_each_member_and_views_on_the_ways_to_members(
        members, reports);
  }

  @ParameterizedTest
  @CsvSource({"0, 0", "5, 22"})
  void a_change_of_the_tree_costs_a_report_of_each_member_and_views_on_the_ways_to_members(
      int members, int reports) {
    for (int node = 0; node < members; node++) {
      join(node, node + 1);
    }
    pass();
    long before = sent();

    cluster.crash(23);
    assertThat(cluster.runUntil(() -> haveAllTree(NODES - 1), PATIENCE_MILLIS)).isTrue();
    if (members > 0) {
      assertThat(cluster.runUntil(() -> seesAll(0, Math.min(members, 23)), PATIENCE_MILLIS))
          .isTrue();
    }
    pass();

    assertThat(sent() - before).isBetween((long) reports, 3L * reports);
  }

  private boolean haveAllTree(int members) {
    return cluster.agents().stream()
        .map(agent -> agent.treeStatus().tree())
        .allMatch(tree -> tree != null && tree.members().size() == members);
  }

  private CommittedTree tree() {
    return Objects.requireNonNull(cluster.snapshots().get(0).tree().tree());
  }

  /** Returns the number of edges between members and the root. */
  private static int edgesToRoot(CommittedTree tree, IntStream members) {
    TreeSet<NodeId> below = new TreeSet<>();
    members
        .mapToObj(SimSettings::id)
        .forEach(
            member -> {
              for (NodeId at = member;
                  !at.equals(tree.root());
                  at = Objects.requireNonNull(tree.parents().get(at))) {
                below.add(at);
              }
            });
    return below.size();
  }

  /** Checks the number of messages of an event, unless the tree has changed in the meantime. */
  private void assertCost(Runnable event, ToIntFunction<CommittedTree> expected) {
    CommittedTree before = tree();
    long sentBefore = sent();
    event.run();
    pass();
    if (tree().equals(before)) {
      assertThat(sent() - sentBefore).isEqualTo(expected.applyAsInt(before));
      checked++;
    }
  }

  @Test
  void a_join_or_leave_costs_the_way_to_the_root_and_the_ways_from_there_to_the_members() {
    assertThat(sent()).isZero();
    assertCost(() -> join(0, 1), tree -> 2 * (NODES - 1));
    for (int i = 1; i < NODES; i++) {
      int node = i;
      assertCost(
          () -> join(node, node + 1),
          tree ->
              edgesToRoot(tree, IntStream.of(node))
                  + edgesToRoot(tree, IntStream.rangeClosed(0, node)));
    }
    for (int i = 0; i < NODES; i++) {
      int node = i;
      assertCost(
          () -> agent(node).group(groups -> groups.leave(PATH)),
          tree ->
              edgesToRoot(tree, IntStream.of(node))
                  + edgesToRoot(tree, IntStream.range(node + 1, NODES)));
    }
    assertThat(checked).isGreaterThan(NODES);
    assertCost(this::pass, tree -> 0);
  }
}
