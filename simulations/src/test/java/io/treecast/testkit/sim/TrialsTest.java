package io.treecast.testkit.sim;

import static org.assertj.core.api.Assertions.assertThat;

import io.treecast.agent.core.contract.TreePhase;
import io.treecast.agent.core.settings.OverlayLimits;
import io.treecast.testkit.network.Topology;
import io.treecast.testkit.network.Topology.Link;
import io.treecast.testkit.sim.network.SimSettings;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Trials of members in a large cluster, by which links open and close all the time. */
class TrialsTest {
  private static final int MEMBERS = 40;

  /**
   * The round trip of each link of the first member, and so the least time of a search that
   * includes it.
   */
  private static final long FAR_MICROS = 7_000_000;

  private static final OverlayLimits BUSY =
      new OverlayLimits(32, 12, 4, 40, OverlayLimits.MIN_TRIAL_INTERVAL, 3);

  private static final Duration STEP = Duration.ofMillis(500);
  private static final Duration WATCHED = Duration.ofMinutes(2);

  @Test
  @Tag("nightly")
  void a_change_of_the_tree_ends_though_many_members_are_tried_during_each_search() {
    try (SimCluster cluster =
        new SimCluster(oneIsFar(), 1, null, SimSettings.DEFAULT.withOverlay(BUSY))) {
      Map<Integer, Long> changingSince = new HashMap<>();
      long longestNanos = 0;
      while (cluster.nowNanos() < WATCHED.toNanos()) {
        var unused = cluster.runUntil(() -> false, STEP.toMillis());
        for (SimAgent agent : cluster.agents()) {
          longestNanos =
              Math.max(longestNanos, cluster.nowNanos() - since(agent, changingSince, cluster));
        }
      }
      // A search that finds the edge, one that finds no lighter edge, and a commit after each.
      assertThat(Duration.ofNanos(longestNanos))
          .isLessThanOrEqualTo(Duration.ofNanos(4 * FAR_MICROS * 1_000));
    }
  }

  /**
   * Returns the time of an agent's last commit, or the present time if its tree is not changing.
   */
  private static long since(SimAgent agent, Map<Integer, Long> changingSince, SimCluster cluster) {
    long committedNanos = agent.snapshot().committedNanos();
    boolean isChanging = agent.treeStatus().phase() == TreePhase.MERGING;
    long lastNanos = isChanging ? committedNanos : cluster.nowNanos();
    return changingSince.merge(agent.node(), lastNanos, Math::max);
  }

  private static Topology oneIsFar() {
    Random random = new Random(7);
    List<Link> links = new ArrayList<>();
    for (int low = 0; low < MEMBERS; low++) {
      for (int high = low + 1; high < MEMBERS; high++) {
        long leastMicros = low == 0 ? FAR_MICROS : 50_000;
        links.add(new Link(low, high, leastMicros + random.nextInt(300_000)));
      }
    }
    return Topology.of(MEMBERS, links);
  }
}
