package io.treecast.agent.core;

import static org.assertj.core.api.Assertions.assertThat;

import io.treecast.agent.core.contract.Notice.Kind;
import io.treecast.agent.core.link.LinksDiscoveryTest;
import io.treecast.agent.core.message.Membership;
import io.treecast.agent.core.settings.LinkLimits;
import io.treecast.collectives.broadcast.contract.BroadcastLimits;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/**
 * Members that are gone for good, in a cluster where all links exist. Whole agents in virtual time;
 * h0 is everybody's seed, and whom nobody has heard of for two minutes is forgotten.
 */
class ForgottenMembersTest {
  private static final Duration LIMIT = Duration.ofMinutes(2);
  private static final long LIMIT_MILLIS = LIMIT.toMillis();

  /** By then a death is noticed, and a tree without the dead is committed. */
  private static final long NOTICED_MILLIS = 10_000;

  /** By then the links of parts that hear nothing of each other are given up. */
  private static final long GIVEN_UP_MILLIS = 40_000;

  private final VirtualNetwork network = VirtualNetwork.measurable(1, 10 * VirtualNetwork.MILLI);

  private AgentHost start(int node, Membership membership) {
    return AgentHost.start(
        network,
        node,
        membership,
        LinkLimits.DEFAULT.toBuilder().forgetNanos(LIMIT.toNanos()).build(),
        BroadcastLimits.defaults());
  }

  private AgentHost start(int node) {
    return start(node, Membership.discovered(List.of(LinksDiscoveryTest.address(0))));
  }

  private List<AgentHost> cluster(int nodes) {
    List<AgentHost> hosts = new ArrayList<>();
    for (int node = 0; node < nodes; node++) {
      hosts.add(start(node));
    }
    AgentHost.runUntilReady(network, hosts, 1);
    return hosts;
  }

  private static List<String> knownTo(AgentHost host) {
    return host.core().snapshot().links().stream()
        .map(link -> link.peer().id().toString())
        .toList();
  }

  private long dialsOf(String address) {
    return network.dials().stream().filter(dial -> dial.endsWith("> " + address)).count();
  }

  private void cut(AgentHost one, AgentHost other) {
    network.cut(one.address(), other.address());
  }

  private void heal(AgentHost one, AgentHost other) {
    network.heal(one.address(), other.address());
  }

  @Test
  void a_member_that_is_gone_is_dialed_until_the_limit_then_forgotten_and_dialed_no_more() {
    List<AgentHost> hosts = cluster(3);
    String gone = hosts.get(1).address();
    network.crash(gone);
    network.run(LIMIT_MILLIS);
    List<AgentHost> others = List.of(hosts.get(0), hosts.get(2));
    assertThat(others).allSatisfy(host -> assertThat(knownTo(host)).contains("h1"));

    network.run(NOTICED_MILLIS);
    long dials = dialsOf(gone);
    network.run(60_000);
    assertThat(dialsOf(gone)).isEqualTo(dials);
    assertThat(others)
        .allSatisfy(
            host -> {
              assertThat(knownTo(host)).doesNotContain("h1");
              assertThat(host.notices(Kind.MEMBER_FORGOTTEN))
                  .singleElement()
                  .asString()
                  .contains(" h1 ", gone, "120 s", "links.forgetMillis");
            });
  }

  @Test
  void an_absent_member_is_announced_with_the_time_since_it_was_last_heard_of() {
    List<AgentHost> hosts = cluster(3);
    assertThat(hosts.get(0).link(hosts.get(1)).absentMillis()).isZero();
    network.crash(hosts.get(1).address());
    network.run(60_000);
    assertThat(hosts.get(0).link(hosts.get(1)).absentMillis())
        .isBetween(60_000 - NOTICED_MILLIS, 60_000L);
  }

  @Test
  void a_member_that_was_forgotten_is_known_again_when_it_comes_back() {
    List<AgentHost> hosts = cluster(3);
    network.crash(hosts.get(1).address());
    network.run(LIMIT_MILLIS + NOTICED_MILLIS);
    AgentHost again = start(1);
    AgentHost.runUntilReady(network, List.of(hosts.get(0), again, hosts.get(2)), 1);
    assertThat(knownTo(hosts.get(0))).containsExactly("h1", "h2");
    assertThat(knownTo(hosts.get(2))).containsExactly("h0", "h1");
  }

  @Test
  void a_seed_that_is_gone_is_forgotten_as_a_member_and_dialed_on_as_an_address() {
    List<AgentHost> hosts = cluster(3);
    AgentHost h1 = hosts.get(1);
    network.crash(hosts.get(0).address());
    network.run(LIMIT_MILLIS + NOTICED_MILLIS);
    assertThat(knownTo(h1)).containsExactly("h2");
    long dials = dialsOf(hosts.get(0).address());
    network.run(60_000);
    assertThat(dialsOf(hosts.get(0).address())).isGreaterThan(dials);

    AgentHost again = start(0, Membership.discovered(List.of()));
    AgentHost.runUntilReady(network, List.of(again, h1, hosts.get(2)), 1);
  }

  @Test
  void a_newcomer_that_learns_of_an_absent_member_forgets_it_with_the_others() {
    List<AgentHost> hosts = cluster(3);
    network.crash(hosts.get(1).address());
    network.run(LIMIT_MILLIS - 20_000);
    AgentHost newcomer = start(3);
    network.run(15_000);
    assertThat(knownTo(newcomer)).containsExactly("h0", "h1", "h2");
    network.run(5_000 + NOTICED_MILLIS);
    assertThat(knownTo(newcomer)).containsExactly("h0", "h2");
  }

  @Test
  void parts_that_had_lost_each_other_for_less_than_the_limit_find_each_other_without_seeds() {
    List<AgentHost> hosts = cluster(4);
    apart(hosts, LIMIT_MILLIS - 5_000);
    // The seed of all dies: from now on only what members remember leads to the others.
    network.crash(hosts.get(0).address());
    together(hosts);
    AgentHost.runUntilReady(network, hosts.subList(1, 4), 1);
    network.run(LIMIT_MILLIS + NOTICED_MILLIS);
    assertThat(knownTo(hosts.get(1))).containsExactly("h2", "h3");
    assertThat(knownTo(hosts.get(3))).containsExactly("h1", "h2");
  }

  @Test
  void parts_that_had_lost_each_other_for_longer_find_each_other_over_seeds() {
    List<AgentHost> hosts = cluster(4);
    apart(hosts, LIMIT_MILLIS + GIVEN_UP_MILLIS);
    assertThat(knownTo(hosts.get(1))).containsExactly("h0");
    assertThat(knownTo(hosts.get(2))).containsExactly("h3");
    together(hosts);
    AgentHost.runUntilReady(network, hosts, 1);
    network.run(LIMIT_MILLIS + NOTICED_MILLIS);
    assertThat(knownTo(hosts.get(1))).containsExactly("h0", "h2", "h3");
    assertThat(knownTo(hosts.get(3))).containsExactly("h0", "h1", "h2");
  }

  /** Nothing gets through between the first two and the last two. */
  private void apart(List<AgentHost> hosts, long millis) {
    for (AgentHost one : hosts.subList(0, 2)) {
      hosts.subList(2, 4).forEach(other -> cut(one, other));
    }
    network.run(millis);
  }

  private void together(List<AgentHost> hosts) {
    for (AgentHost one : hosts.subList(0, 2)) {
      hosts.subList(2, 4).forEach(other -> heal(one, other));
    }
  }

  @Test
  void an_agent_that_stood_still_meanwhile_brings_a_dead_member_back_for_one_limit_at_most() {
    List<AgentHost> hosts = cluster(4);
    AgentHost frozen = hosts.get(3);
    network.pause(frozen.address());
    network.crash(hosts.get(1).address());
    network.run(LIMIT_MILLIS + NOTICED_MILLIS);
    assertThat(knownTo(hosts.get(0))).doesNotContain("h1");
    network.resume(frozen.address());
    AgentHost.runUntilReady(network, List.of(hosts.get(0), hosts.get(2), frozen), 1);
    network.run(LIMIT_MILLIS + NOTICED_MILLIS);
    assertThat(knownTo(hosts.get(0))).containsExactly("h2", "h3");
    assertThat(knownTo(hosts.get(2))).containsExactly("h0", "h3");
    assertThat(knownTo(frozen)).containsExactly("h0", "h2");
  }

  @Test
  void a_member_that_was_away_forgets_one_that_left_meanwhile_and_does_not_bring_it_back() {
    leaveWhileOneIsAway(GIVEN_UP_MILLIS);
  }

  @Test
  void so_it_is_where_links_went_on_after_a_short_absence() {
    leaveWhileOneIsAway(5_000);
  }

  private void leaveWhileOneIsAway(long millis) {
    List<AgentHost> hosts = cluster(4);
    AgentHost leaving = hosts.get(1);
    AgentHost away = hosts.get(3);
    hosts.subList(0, 3).forEach(one -> cut(one, away));
    network.run(4_000);
    leaving.core().leave();
    network.run(100);
    network.crash(leaving.address());
    network.run(millis);
    assertThat(knownTo(hosts.get(0))).containsExactly("h2", "h3");
    assertThat(knownTo(away)).contains("h1");

    heal(hosts.get(0), away);
    heal(hosts.get(2), away);
    AgentHost.runUntilReady(network, List.of(hosts.get(0), hosts.get(2), away), 1);
    // Its own link with who has left is given up first.
    network.run(GIVEN_UP_MILLIS);
    assertThat(knownTo(hosts.get(0))).containsExactly("h2", "h3");
    assertThat(knownTo(hosts.get(2))).containsExactly("h0", "h3");
    assertThat(knownTo(away)).containsExactly("h0", "h2");

    heal(leaving, away);
    AgentHost again = start(1);
    AgentHost.runUntilReady(network, List.of(hosts.get(0), again, hosts.get(2), away), 1);
    assertThat(knownTo(away)).containsExactly("h0", "h1", "h2");
  }

  @Test
  void configured_neighbours_are_never_forgotten() {
    AgentHost host = start(0, Membership.configured(List.of(LinksDiscoveryTest.member(1))));
    network.run(3 * LIMIT_MILLIS);
    assertThat(knownTo(host)).containsExactly("h1");
    AgentHost neighbour = start(1, Membership.configured(List.of(LinksDiscoveryTest.member(0))));
    AgentHost.runUntilReady(network, List.of(host, neighbour), 1);
  }
}
