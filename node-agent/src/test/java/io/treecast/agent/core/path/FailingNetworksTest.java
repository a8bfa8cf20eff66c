package io.treecast.agent.core.path;

import static io.treecast.agent.core.path.TwoAgents.MILLI;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Sweeps over networks that fail at random. {@code -Dtreecast.seed=17} runs that seed only, {@code
 * -Dtreecast.seeds=10000} that many.
 */
class FailingNetworksTest {
  private static final String[] NETWORKS = {"public", "private", "fast"};
  private static final long SEEDS = Long.getLong("treecast.seeds", 200);
  private static final long NIGHTLY_SEEDS = Long.getLong("treecast.seeds", 2_000);

  private static LongStream seeds(long count) {
    Long one = Long.getLong("treecast.seed");
    return one == null ? LongStream.range(0, count) : LongStream.of(one);
  }

  @Test
  @Tag("seeded")
  void a_link_survives_networks_that_fail_one_after_the_other() {
    seeds(SEEDS).forEach(FailingNetworksTest::oneAfterTheOther);
  }

  @Test
  @Tag("seeded")
  void messages_arrive_once_and_in_order_whatever_fails() {
    seeds(SEEDS).forEach(FailingNetworksTest::anything);
  }

  @Test
  @Tag("nightly")
  void both_hold_for_many_seeds() {
    seeds(NIGHTLY_SEEDS).forEach(FailingNetworksTest::oneAfterTheOther);
    seeds(NIGHTLY_SEEDS).forEach(FailingNetworksTest::anything);
  }

  static void oneAfterTheOther(long seed) {
    Random random = new Random(seed);
    int networks = 2 + random.nextInt(2);
    TwoAgents agents = agents(random, seed, networks);
    for (int fault = 0; fault < 4; fault++) {
      assertThat(agents.runUntil(() -> agents.one.paths() == networks, 200_000))
          .as("seed %d: all networks work again after fault %d", seed, fault)
          .isTrue();
      agents.run(random.nextInt(3_000));
      String failing = NETWORKS[random.nextInt(networks)];
      boolean isCut = random.nextInt(3) > 0;
      if (isCut) {
        agents.cut(failing);
      }
      if (random.nextInt(3) == 0) {
        agents.reset(failing);
      }
      agents.run(random.nextInt(30_000));
      agents.heal(failing);
    }
    agents.run(10_000);
    assertThat(List.of(agents.one.ends, agents.other.ends))
        .as("seed %d: the stream lasts", seed)
        .allMatch(List::isEmpty);
    assertOneNetwork(agents, seed);
    for (TwoAgents.Agent agent : List.of(agents.one, agents.other)) {
      TwoAgents.Agent there = agent == agents.one ? agents.other : agents.one;
      assertInOrder(agent, seed);
      assertThat((long) agent.heard.size()).as("seed %d", seed).isGreaterThan(there.said - 4);
      assertThat(agent.longestSilenceNanos / MILLI)
          .as("seed %d: silence at %s", seed, agent.hello.node())
          .isLessThan(2_600);
    }
  }

  static void anything(long seed) {
    Random random = new Random(seed);
    int networks = 2 + random.nextInt(2);
    TwoAgents agents = agents(random, seed, networks);
    for (int fault = 0; fault < 12; fault++) {
      String failing = NETWORKS[random.nextInt(networks)];
      switch (random.nextInt(4)) {
        case 0 -> agents.cut(failing);
        case 1 -> agents.reset(failing);
        case 2 -> agents.delay(failing, 1 + random.nextLong(300 * MILLI));
        default -> agents.heal(failing);
      }
      agents.run(random.nextInt(6_000));
    }
    for (String network : NETWORKS) {
      agents.heal(network);
    }
    agents.run(5_000);
    for (TwoAgents.Agent agent : List.of(agents.one, agents.other)) {
      assertInOrder(agent, seed);
      assertThat(agent.ends).as("seed %d: ends", seed).hasSizeLessThan(2);
    }
    if (agents.one.ends.isEmpty() && agents.other.ends.isEmpty()) {
      assertThat((long) agents.one.heard.size()).isGreaterThan(agents.other.said - 8);
      assertThat((long) agents.other.heard.size()).isGreaterThan(agents.one.said - 8);
      assertOneNetwork(agents, seed);
    }
  }

  /** Both ends send in one network, except while a change is under way. */
  private static void assertOneNetwork(TwoAgents agents, long seed) {
    assertThat(
            agents.runUntil(
                () -> Objects.equals(agents.one.network(), agents.other.network()), 1_000))
        .as("seed %d: both ends use one network", seed)
        .isTrue();
  }

  private static TwoAgents agents(Random random, long seed, int networks) {
    TwoAgents agents =
        new TwoAgents(seed, List.of(NETWORKS).subList(0, networks).toArray(String[]::new));
    for (int i = 0; i < networks; i++) {
      agents.delay(NETWORKS[i], 1 + random.nextLong(80 * MILLI));
    }
    agents.one.dial(agents.other.hello.address());
    return agents;
  }

  private static void assertInOrder(TwoAgents.Agent agent, long seed) {
    assertThat(agent.heard)
        .as("seed %d: at %s", seed, agent.hello.node())
        .isEqualTo(LongStream.rangeClosed(1, agent.heard.size()).boxed().toList());
  }
}
