package org.example.prices;

import static org.assertj.core.api.Assertions.assertThat;

import io.treecast.client.Best;
import io.treecast.client.Codec;
import io.treecast.client.Subscription;
import io.treecast.client.Treecast;
import io.treecast.testkit.junit.ClusterTest;
import io.treecast.testkit.local.LocalCluster;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Timeout;

/** The examples of shared values and ownership do on real agents what they say. */
@Timeout(120)
class StateExamplesTest {
  private static final long MAX_MILLIS = 60_000;

  @ClusterTest(nodes = 3)
  void values_reach_all_members_and_their_watchers(LocalCluster cluster) {
    Map<String, String> routes = new ConcurrentHashMap<>();
    List<Object> seen = new CopyOnWriteArrayList<>();
    try (Treecast treecast = Treecast.connect(cluster.address(1))) {
      StateExamples.route(treecast, routes::put);
      Subscription state = StateExamples.announce(treecast.values("states", Codec.utf8()));
      StateExamples.search(treecast, seen::add);
      StateExamples.level(treecast, seen::add);

      cluster.awaitValue("routes", "eu", "h7:9000");
      cluster.awaitValue("states", "h7", "ready");
      cluster.awaitBest("incumbent", Best.MIN, 17.5);
      cluster.awaitValue("log-level", "", "DEBUG");
      assertThat(cluster.runUntil(() -> routes.containsKey("eu") && seen.size() == 2, MAX_MILLIS))
          .isTrue();
      assertThat(seen).containsExactlyInAnyOrder(17.5, "DEBUG");
      state.close();
      cluster.awaitValue("states", "h7", null);
    }
  }

  @ClusterTest(nodes = 3)
  void one_owner_works_at_a_time(LocalCluster cluster) {
    List<String> members = List.of("0", "1", "2");
    List<Long> fences = new CopyOnWriteArrayList<>();
    try (Treecast treecast = Treecast.connect(cluster.address(1))) {
      StateExamples.backUp(
          treecast,
          members,
          fence -> {
            fences.add(fence);
            cluster.awaitClaim("nightly", 1, 0, 1, 2);
          },
          () -> fences.add(0L));
      cluster.awaitClaim("nightly", null, 0, 1, 2);

      StateExamples.backUp(treecast, members, fences::add, () -> fences.add(0L));

      assertThat(fences).hasSize(2).isSorted().doesNotContain(0L);
    }
  }
}
