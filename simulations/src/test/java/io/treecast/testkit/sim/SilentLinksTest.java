package io.treecast.testkit.sim;

import static org.assertj.core.api.Assertions.assertThat;

import io.treecast.agent.core.contract.Notice;
import io.treecast.testkit.Seeds;
import io.treecast.testkit.cluster.LinkFaults;
import io.treecast.testkit.network.Topology;
import io.treecast.testkit.network.Topology.Link;
import java.util.List;
import java.util.Random;
import java.util.function.Consumer;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * The time in which agents notice a silent link of 700 ms, and distinguish it from a frozen agent,
 * with faults at any moment between two heartbeats, in virtual time.
 *
 * <p>{@code -Dtreecast.seed=17} runs only that seed, {@code -Dtreecast.seeds=10000} that many.
 */
@Tag("seeded")
class SilentLinksTest {
  private static final long DEFAULT_SEEDS = 10;
  private static final long MINUTE_MILLIS = 60_000;
  private static final long NANOS_PER_MILLI = 1_000_000;

  /** Messages from before the fault arrive for 350 ms; then the end receives nothing for 2.6 s. */
  private static final long DEAF_MILLIS = 2_950;

  /** The end that still receives is notified by the other end, which takes 350 ms. */
  private static final long TOLD_MILLIS = 3_300;

  @Test
  void both_ends_of_a_link_that_is_cut_notice_within_three_seconds() {
    assertNoticed(links -> links.cut(0, 1), DEAF_MILLIS, DEAF_MILLIS);
  }

  @Test
  void the_other_end_notices_if_only_the_owners_messages_are_held_and_informs_it() {
    assertNoticed(links -> links.oneWay(0, 1), TOLD_MILLIS, DEAF_MILLIS);
  }

  @Test
  void the_owner_notices_if_only_the_other_ends_messages_are_held_and_informs_it() {
    assertNoticed(links -> links.oneWay(1, 0), DEAF_MILLIS, TOLD_MILLIS);
  }

  @Test
  void an_agent_that_is_frozen_for_two_seconds_keeps_its_link() {
    forEachSeed(
        (seed, random) -> {
          SimCluster cluster = clusterOf700MillisAt(seed, random);
          int frozen = random.nextInt(2);
          cluster.pause(frozen);
          letPass(cluster, 2_000);
          cluster.resume(frozen);
          letPass(cluster, 10_000);
          assertThat(cluster.warnings()).as("seed %d", seed).isEmpty();
        });
  }

  private static void assertNoticed(
      Consumer<LinkFaults> fault, long ownerMillis, long otherMillis) {
    forEachSeed(
        (seed, random) -> {
          SimCluster cluster = clusterOf700MillisAt(seed, random);
          long fromNanos = cluster.nowNanos();
          fault.accept(cluster.links());
          long[] noticedNanos = new long[2];
          cluster.runUntil(
              () -> {
                for (int node = 0; node < 2; node++) {
                  if (noticedNanos[node] == 0 && hasNoticed(cluster, node)) {
                    noticedNanos[node] = cluster.nowNanos() - fromNanos;
                  }
                }
                return noticedNanos[0] > 0 && noticedNanos[1] > 0;
              },
              MINUTE_MILLIS);
          assertThat(noticedNanos[0])
              .as("seed %d: the owner notices", seed)
              .isBetween(1L, ownerMillis * NANOS_PER_MILLI);
          assertThat(noticedNanos[1])
              .as("seed %d: the other end notices", seed)
              .isBetween(1L, otherMillis * NANOS_PER_MILLI);
        });
  }

  private static boolean hasNoticed(SimCluster cluster, int node) {
    return cluster.warnings().stream()
        .anyMatch(w -> w.startsWith("node " + node + ": " + Notice.Kind.LINK_SUSPENDED));
  }

  /** Returns two agents that have been linked for ten seconds and a random part of a second. */
  private static SimCluster clusterOf700MillisAt(long seed, Random random) {
    SimCluster cluster =
        new SimCluster(Topology.of(2, List.of(Link.between(0, 1, 700_000L))), seed);
    assertThat(cluster.runUntilAtRest(MINUTE_MILLIS)).as("seed %d: at rest", seed).isTrue();
    letPass(cluster, 10_000 + random.nextInt(1_000));
    return cluster;
  }

  private static void letPass(SimCluster cluster, long millis) {
    cluster.runUntil(() -> false, millis);
  }

  private interface SeededRun {
    void run(long seed, Random random);
  }

  private static void forEachSeed(SeededRun run) {
    for (long seed : Seeds.first(DEFAULT_SEEDS).toArray()) {
      run.run(seed, new Random(seed));
    }
  }
}
