package io.treecast.testkit.sim;

import static org.assertj.core.api.Assertions.assertThat;

import io.treecast.agent.core.AgentSnapshot;
import io.treecast.agent.core.settings.LinkLimits;
import io.treecast.agent.core.settings.OverlayLimits;
import io.treecast.ghs.NodeId;
import io.treecast.testkit.Seeds;
import io.treecast.testkit.cluster.TreeVerdict;
import io.treecast.testkit.network.NodeGroup;
import io.treecast.testkit.sim.network.SimSettings;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Members join under new names and end silently, while parts of the cluster lose each other and
 * agents pause. In the end all members know exactly the live members. Tested in clusters with all
 * links, and in large ones with few links.
 *
 * <p>{@code -Dtreecast.seed=17} runs only that seed, {@code -Dtreecast.seeds=10000} that many.
 */
@Tag("seeded")
class ForgottenMembersSwarmTest {
  private static final long DEFAULT_SEEDS = 2;
  private static final int NODES = 10;
  private static final Duration LIMIT = Duration.ofMinutes(3);
  private static final int LIMIT_MILLIS = (int) LIMIT.toMillis();
  private static final long MAX_READY_MILLIS = 600_000;

  /** Time after the last fault until silent members are noticed and parts have found each other. */
  private static final long SETTLED_MILLIS = 120_000;

  @ParameterizedTest
  @ValueSource(ints = {4, 32})
  void in_the_end_all_know_exactly_the_live_members(int fullMeshMembers) {
    for (long seed : Seeds.first(DEFAULT_SEEDS).toArray()) {
      try (SimCluster cluster = cluster(fullMeshMembers, seed)) {
        run(cluster, seed);
      }
    }
  }

  private static SimCluster cluster(int fullMeshMembers, long seed) {
    OverlayLimits overlay =
        new OverlayLimits(
            fullMeshMembers, 2, 1, Math.max(8, fullMeshMembers), Duration.ofMinutes(5), 3);
    SimSettings settings =
        SimSettings.DEFAULT
            .withOverlay(overlay)
            .withLinks(LinkLimits.DEFAULT.toBuilder().forgetNanos(LIMIT.toNanos()).build());
    return new SimCluster(
        OverlaySwarmTest.complete(NODES, new Random(seed)), seed, new Random(seed), settings);
  }

  private static void run(SimCluster cluster, long seed) {
    Random random = new Random(seed);
    assertThat(cluster.runUntilReady(MAX_READY_MILLIS)).as("seed %d", seed).isTrue();
    for (int name = NODES; name < NODES + 3; name++) {
      cluster.join(name, random.nextInt(NODES));
      letPass(cluster, 20_000 + random.nextInt(LIMIT_MILLIS));
      cluster.crash(name);
    }
    // At most the retention of members: an agent that has dropped all others is found only by their
    // seeds.
    partition(cluster, random);
    int frozen = random.nextInt(NODES);
    cluster.pause(frozen);
    letPass(cluster, random.nextInt(LIMIT_MILLIS - 60_000));
    cluster.links().heal();
    letPass(cluster, random.nextInt(2 * LIMIT_MILLIS));
    cluster.resume(frozen);
    letPass(cluster, LIMIT_MILLIS + SETTLED_MILLIS);

    assertThat(TreeVerdict.of(cluster).trees()).as("seed %d", seed).hasSize(1);
    Set<NodeId> alive =
        IntStream.range(0, NODES).mapToObj(SimSettings::id).collect(Collectors.toSet());
    for (AgentSnapshot agent : cluster.snapshots()) {
      Set<NodeId> known = new TreeSet<>(Set.of(agent.self().id()));
      agent.links().forEach(link -> known.add(link.peer().id()));
      assertThat(known).as("seed %d: known to %s", seed, agent.self().id()).isEqualTo(alive);
    }
  }

  private static void partition(SimCluster cluster, Random random) {
    int size = 1 + random.nextInt(NODES - 1);
    List<Integer> nodes = IntStream.range(0, NODES).boxed().toList();
    cluster
        .links()
        .partition(NodeGroup.of(nodes.subList(0, size)), NodeGroup.of(nodes.subList(size, NODES)));
  }

  private static void letPass(SimCluster cluster, long millis) {
    cluster.runUntil(() -> false, millis);
  }
}
