package io.treecast.testkit.sim;

import static org.assertj.core.api.Assertions.assertThat;

import io.treecast.collectives.group.GroupPath;
import io.treecast.collectives.group.GroupView;
import io.treecast.testkit.cluster.ClusterHistory.Commit;
import io.treecast.testkit.network.Topology;
import io.treecast.testkit.network.Topology.Link;
import io.treecast.testkit.sim.network.SimSettings;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** A starting member ends before it has joined, and the others return to their tree. */
class ReturnedTreeTest {
  private static final int GUEST = 3;
  private static final long STEP_MILLIS = 100;
  private static final int RUNS = 30;

  private static final GroupPath PATH = new GroupPath("trainers");

  private static final Topology NETWORK =
      Topology.of(
          4,
          List.of(
              new Link(0, 1, 300_000),
              new Link(1, 2, 310_000),
              new Link(0, 2, 700_000),
              new Link(0, GUEST, 320_000),
              new Link(1, GUEST, 330_000),
              new Link(2, GUEST, 340_000)));

  @Test
  void members_that_come_back_to_their_tree_keep_its_version() {
    int kept = 0;
    for (int run = 0; run < RUNS; run++) {
      SimCluster cluster = new SimCluster(NETWORK, run);
      cluster.runUntilReady(60_000);
      cluster.crash(GUEST);
      cluster.runUntil(() -> false, 30_000);
      long sinceNanos = cluster.nowNanos();
      AtomicLong commits = new AtomicLong();
      cluster.listenToControl(sent -> commits.addAndGet(sent.type().equals("Commit") ? 1 : 0));
      cluster.restart(GUEST);
      cluster.runUntil(() -> false, 1_500 + STEP_MILLIS * run);
      cluster.crash(GUEST);
      cluster.runUntil(() -> false, 30_000);

      List<Commit> later =
          cluster.history().commitsSince(sinceNanos).stream()
              .filter(commit -> commit.incarnation().node() != GUEST)
              .toList();
      if (later.stream().noneMatch(commit -> commit.tree().hasMember(SimSettings.id(GUEST)))) {
        assertThat(later).as("run %s", run).isEmpty();
        kept += commits.get() > 0 ? 1 : 0;
      }
    }
    assertThat(kept).as("runs in which the tree was committed again").isPositive();
  }

  private static SimAgent agent(SimCluster cluster, int node) {
    return cluster.agents().stream().filter(each -> each.node() == node).findFirst().orElseThrow();
  }

  private static @Nullable GroupView view(SimCluster cluster, int node) {
    List<GroupView> seen = new ArrayList<>();
    agent(cluster, node)
        .group(
            groups -> {
              GroupView view = groups.view(PATH);
              if (view != null) {
                seen.add(view);
              }
            });
    return seen.isEmpty() ? null : seen.get(0);
  }

  private static void join(SimCluster cluster, int node) {
    agent(cluster, node).group(groups -> assertThat(groups.join(PATH)).isTrue());
  }

  @Test
  void a_member_that_joins_a_group_while_the_tree_is_kept_is_in_its_next_view() {
    int kept = 0;
    for (int run = 0; run < RUNS; run++) {
      SimCluster cluster = new SimCluster(NETWORK, run);
      cluster.runUntilReady(60_000);
      cluster.crash(GUEST);
      cluster.runUntil(() -> false, 30_000);
      join(cluster, 0);
      join(cluster, 2);
      cluster.runUntil(() -> false, 5_000);
      GroupView before = Objects.requireNonNull(view(cluster, 0));
      assertThat(before.members()).hasSize(2);

      cluster.restart(GUEST);
      cluster.runUntil(() -> false, 1_500 + STEP_MILLIS * run);
      join(cluster, 1);
      cluster.crash(GUEST);
      cluster.runUntil(() -> false, 30_000);

      for (int node = 0; node < GUEST; node++) {
        GroupView after = Objects.requireNonNull(view(cluster, node));
        assertThat(after.members()).as("run %s, node %s", run, node).hasSize(3);
        kept += after.id().epoch().equals(before.id().epoch()) ? 1 : 0;
      }
    }
    assertThat(kept).as("views of a tree that was kept").isPositive();
  }
}
