package io.treecast.agent.core;

import static org.assertj.core.api.Assertions.assertThat;

import io.treecast.agent.core.contract.Notice.Kind;
import io.treecast.agent.core.contract.Notice.Severity;
import io.treecast.agent.core.link.LinksDiscoveryTest;
import io.treecast.agent.core.message.Membership;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Two live agents of one node id: a container that was cloned, a unit that was started twice, a
 * service that was scaled to two. Whole agents in virtual time; the process of one that cannot go
 * on ends at once.
 */
class TwoOfOneIdTest {
  private static final long SEEDS = 2 * Long.getLong("treecast.seeds.times", 1);
  private static final String CLONE = "clone:1";
  private static final long FAR_NANOS = 250 * VirtualNetwork.MILLI;

  /** Where the address leads that both agents of the id advertise. */
  private enum Leads {
    TO_THE_FIRST,
    TO_THE_SECOND,
    BY_TURNS
  }

  private final List<AgentHost> all = new ArrayList<>();
  private final List<AgentHost> ended = new ArrayList<>();

  private VirtualNetwork network(long seed) {
    all.clear();
    ended.clear();
    return VirtualNetwork.measurable(seed, 10 * VirtualNetwork.MILLI);
  }

  private void start(VirtualNetwork network, int nodes, long seed) {
    all.addAll(AgentHost.cluster(network, nodes));
    AgentHost.runUntilReady(network, all, seed);
  }

  private static Membership seeds(int node) {
    return Membership.discovered(List.of(LinksDiscoveryTest.address(node)));
  }

  private AgentHost startClone(VirtualNetwork network, String id, String address, int seedNode) {
    AgentHost clone = AgentHost.startAt(network, CLONE, id, address, seeds(seedNode));
    all.add(clone);
    return clone;
  }

  private static void lead(VirtualNetwork network, String address, Leads leads) {
    switch (leads) {
      case TO_THE_FIRST -> {}
      case TO_THE_SECOND -> network.leadTo(address, CLONE);
      case BY_TURNS -> network.leadTo(address, address, CLONE);
    }
  }

  /** Lets time pass; a process whose agent cannot go on ends. */
  private void run(VirtualNetwork network, long millis) {
    long untilNanos = network.nowNanos() + millis * VirtualNetwork.MILLI;
    while (network.nowNanos() < untilNanos) {
      network.run(10);
      for (AgentHost host : all) {
        if (!ended.contains(host) && !host.notices(Severity.FATAL).isEmpty()) {
          ended.add(host);
          network.crash(host.place());
        }
      }
    }
  }

  private List<AgentHost> living() {
    return all.stream().filter(host -> !ended.contains(host)).toList();
  }

  private long changes() {
    return all.stream().mapToLong(host -> host.changes().size()).sum();
  }

  private void assertAtRest(VirtualNetwork network, long seed) {
    long before = changes();
    run(network, 60_000);
    assertThat(changes()).as("seed %d: trees in a minute", seed).isEqualTo(before);
    assertThat(AgentHost.agree(living())).as("seed %d", seed).isTrue();
  }

  private void assertTold(long seed) {
    assertThat(ended)
        .as("seed %d", seed)
        .allSatisfy(host -> assertThat(host.notices(Kind.DUPLICATE_ID)).isNotEmpty());
    assertThat(all.stream().filter(host -> !ended.contains(host)))
        .as("seed %d: a member that stays is told as well", seed)
        .anySatisfy(host -> assertThat(host.notices(Kind.DUPLICATE_ID)).isNotEmpty());
    assertThat(all)
        .as("seed %d: no clock is blamed", seed)
        .allSatisfy(host -> assertThat(host.notices(Kind.EARLIER_INCARNATION)).isEmpty());
  }

  @ParameterizedTest
  @EnumSource(Leads.class)
  void a_clone_ends_and_the_cluster_does_not_notice(Leads leads) {
    for (long seed = 0; seed < SEEDS; seed++) {
      VirtualNetwork network = network(seed);
      start(network, 4, seed);
      network.run(new Random(seed).nextInt(30_000));
      String address = LinksDiscoveryTest.address(1);
      AgentHost clone = startClone(network, "h1", address, seed % 2 == 0 ? 0 : 2);
      lead(network, address, leads);
      long before = changes();

      run(network, 60_000);

      assertThat(ended).as("seed %d", seed).containsExactly(clone);
      assertThat(changes() - clone.changes().size())
          .as("seed %d: trees of the others", seed)
          .isEqualTo(before);
      assertTold(seed);
      assertAtRest(network, seed);
    }
  }

  /** The members that it dials take long to find out whether the first one is still there. */
  @Test
  void a_clone_is_not_ready_before_it_ends() {
    for (long seed = 0; seed < SEEDS; seed++) {
      all.clear();
      ended.clear();
      VirtualNetwork network = VirtualNetwork.measurable(seed, FAR_NANOS);
      start(network, 4, seed);
      AgentHost clone = startClone(network, "h1", CLONE, 0);

      run(network, 30_000);

      assertThat(ended).as("seed %d", seed).containsExactly(clone);
      assertThat(clone.changes()).as("seed %d: trees of the clone", seed).isEmpty();
    }
  }

  @ParameterizedTest
  @EnumSource(Leads.class)
  void at_most_one_of_two_that_start_at_once_stays(Leads leads) {
    for (long seed = 0; seed < SEEDS; seed++) {
      Random random = new Random(seed);
      VirtualNetwork network = network(seed);
      start(network, 4, seed);
      // Each finds the cluster through another member, and so may have a link before the other.
      boolean sameAddress = random.nextBoolean();
      all.add(
          AgentHost.startAt(network, "x:1", "x", "x:1", Membership.discovered(seedsOf(random))));
      network.run(random.nextInt(500));
      all.add(
          AgentHost.startAt(
              network,
              CLONE,
              "x",
              sameAddress ? "x:1" : CLONE,
              Membership.discovered(seedsOf(random))));
      lead(network, "x:1", leads);

      run(network, 90_000);

      assertThat(ended).as("seed %d", seed).isNotEmpty().allMatch(host -> isX(host));
      assertAtRest(network, seed);
    }
  }

  private static boolean isX(AgentHost host) {
    return host.core().snapshot().self().id().toString().equals("x");
  }

  private static List<String> seedsOf(Random random) {
    return List.of(LinksDiscoveryTest.address(random.nextInt(4)));
  }

  @Test
  void one_that_wakes_up_when_it_was_replaced_ends() {
    for (boolean sameAddress : List.of(true, false)) {
      for (long seed = 0; seed < SEEDS; seed++) {
        VirtualNetwork network = network(seed);
        start(network, 4, seed);
        AgentHost old = all.get(1);
        network.pause(old.place());
        network.run(new Random(seed).nextInt(40_000));
        AgentHost replacement = startClone(network, "h1", sameAddress ? old.address() : CLONE, 0);
        if (sameAddress) {
          network.leadTo(old.address(), CLONE);
        }
        run(network, 30_000);
        assertThat(ended).as("seed %d", seed).isEmpty();
        network.resume(old.place());

        run(network, 60_000);

        assertThat(ended).as("seed %d", seed).containsExactly(old);
        assertThat(living()).contains(replacement);
        assertTold(seed);
        assertAtRest(network, seed);
      }
    }
  }

  @Test
  void where_two_clusters_that_share_ids_meet_no_agent_of_the_earlier_one_ends() {
    int met = 0;
    for (long seed = 0; seed < SEEDS; seed++) {
      VirtualNetwork network = network(seed);
      start(network, 3, seed);
      List<AgentHost> later = new ArrayList<>();
      for (int node = 0; node < 3; node++) {
        List<String> seeds = node == 0 ? List.of() : List.of("there0:1");
        String there = "there" + node + ":1";
        later.add(AgentHost.start(network, "h" + node, there, Membership.discovered(seeds)));
      }
      AgentHost.runUntilReady(network, later, seed);
      all.addAll(later);
      String both = new Random(seed).nextBoolean() ? "there1:1" : LinksDiscoveryTest.address(1);
      all.add(
          AgentHost.start(
              network,
              "guest",
              "guest:1",
              Membership.discovered(List.of("there2:1", LinksDiscoveryTest.address(0), both))));

      run(network, 120_000);

      assertThat(later).as("seed %d", seed).containsAll(ended);
      met += all.stream().anyMatch(host -> !host.notices(Kind.DUPLICATE_ID).isEmpty()) ? 1 : 0;
    }
    assertThat(met).as("runs in which namesakes met").isPositive();
  }

  @Test
  void two_that_only_know_each_other_do_not_both_end() {
    for (long seed = 0; seed < SEEDS; seed++) {
      VirtualNetwork network = network(seed);
      all.add(AgentHost.start(network, "x", "x:1", Membership.discovered(List.of(CLONE))));
      network.run(new Random(seed).nextInt(1_000));
      all.add(AgentHost.start(network, "x", CLONE, Membership.discovered(List.of("x:1"))));

      run(network, 60_000);

      assertThat(ended).as("seed %d", seed).containsExactly(all.get(1));
    }
  }

  @Test
  void a_restart_is_let_in_at_its_first_or_second_attempt() {
    for (long seed = 0; seed < SEEDS; seed++) {
      Random random = new Random(seed);
      VirtualNetwork network = network(seed);
      start(network, 4, seed);
      network.run(random.nextInt(30_000));
      for (int restart = 0; restart < 3; restart++) {
        AgentHost before = all.get(1);
        boolean clockWentBack = random.nextInt(3) == 0;
        long incarnation = before.incarnation() + (clockWentBack ? -1_000_000 : 1_000_000);
        // Its predecessor's end reaches the others at about the same time as its Hello does.
        all.set(
            1,
            AgentHost.startAt(
                network, before.place(), "h1", before.address(), incarnation, seeds(0)));
        boolean isIn = network.runUntil(() -> AgentHost.agree(all), 5_000);
        assertThat(isIn).as("seed %d, restart %d", seed, restart).isTrue();
      }
      assertThat(all).allMatch(host -> host.notices(Severity.FATAL).isEmpty());
      assertThat(all).allMatch(host -> host.notices(Kind.DUPLICATE_ID).isEmpty());
    }
  }
}
