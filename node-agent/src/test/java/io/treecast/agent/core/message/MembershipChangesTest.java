package io.treecast.agent.core.message;

import static org.assertj.core.api.Assertions.assertThat;

import io.treecast.agent.core.AgentHost;
import io.treecast.agent.core.VirtualNetwork;
import io.treecast.agent.core.contract.LinkState;
import io.treecast.agent.core.contract.Notice.Kind;
import io.treecast.agent.core.contract.TreeChange;
import io.treecast.agent.core.contract.TreePhase;
import io.treecast.ghs.LinkWeight;
import io.treecast.mst.ChangeCause;
import java.util.List;
import org.junit.jupiter.api.Test;

/**
 * Members that come, leave, crash and come back, and what agents report of it. Agents in virtual
 * time; h0 is everybody's seed.
 */
class MembershipChangesTest {
  private final VirtualNetwork network = VirtualNetwork.measurable(1, 10 * VirtualNetwork.MILLI);

  /** h0-h1 takes 20 ms, h1-h2 30 ms, h0-h2 200 ms. */
  private List<AgentHost> three() {
    network.rtt("host0:7700", "host1:7700", 20);
    network.rtt("host1:7700", "host2:7700", 30);
    network.rtt("host0:7700", "host2:7700", 200);
    List<AgentHost> hosts = AgentHost.cluster(network, 3);
    AgentHost.runUntilReady(network, hosts, 1);
    network.run(5_000);
    assertThat(edges(hosts.get(0).tree().edges())).containsExactly("h0-h1", "h1-h2");
    return hosts;
  }

  private static List<String> edges(List<LinkWeight> edges) {
    return edges.stream().map(edge -> edge.low() + "-" + edge.high()).toList();
  }

  private static TreeChange last(AgentHost host) {
    return host.changes().get(host.changes().size() - 1);
  }

  @Test
  void agents_that_start_together_build_their_first_tree_at_once() {
    for (AgentHost host : three()) {
      assertThat(host.changes()).hasSize(1);
      TreeChange first = host.changes().get(0);
      assertThat(first.versionBefore()).isZero();
      assertThat(first.causes()).containsExactly(ChangeCause.MEMBER_STARTED);
      assertThat(edges(first.added())).containsExactly("h0-h1", "h1-h2");
      assertThat(first.removed()).isEmpty();
      assertThat(first.durationNanos()).isPositive();
      assertThat(first.messagesSent()).isPositive();
    }
  }

  @Test
  void when_nothing_changes_nothing_but_probes_is_sent() {
    List<AgentHost> hosts = three();
    List<Long> sent = hosts.stream().map(AgentHost::controlMessagesSent).toList();
    network.run(3_600_000);
    assertThat(hosts.stream().map(AgentHost::controlMessagesSent)).isEqualTo(sent);
    assertThat(hosts).allMatch(host -> host.changes().size() == 1);
  }

  @Test
  void a_member_that_leaves_is_forgotten_and_the_others_go_on() {
    List<AgentHost> hosts = three();
    AgentHost h1 = hosts.get(1);
    h1.core().leave();
    network.run(5_000);
    List<AgentHost> others = List.of(hosts.get(0), hosts.get(2));
    assertThat(AgentHost.agree(others)).isTrue();
    int dials = network.dials().size();
    network.run(60_000);
    assertThat(network.dials()).as("nobody dials it any more").hasSize(dials);
    for (AgentHost host : others) {
      assertThat(host.core().snapshot().links())
          .extracting(link -> link.peer().id().toString())
          .doesNotContain("h1");
      assertThat(host.notices(Kind.LINK_LOST)).singleElement().asString().contains(" h1: ");
      assertThat(edges(last(host).removed())).containsExactly("h0-h1", "h1-h2");
      assertThat(edges(last(host).added())).containsExactly("h0-h2");
      assertThat(last(host).causes()).contains(ChangeCause.TREE_LINK_LOST);
    }
  }

  @Test
  void a_member_that_crashes_is_remembered_and_dialed_in_case_it_comes_back() {
    List<AgentHost> hosts = three();
    AgentHost h1 = hosts.get(1);
    network.crash(h1.address());
    network.run(5_000);
    assertThat(AgentHost.agree(List.of(hosts.get(0), hosts.get(2)))).isTrue();
    assertThat(hosts.get(0).stateOf(h1)).isEqualTo(LinkState.DIALING);

    AgentHost again = AgentHost.join(network, 1);
    network.run(20_000);
    assertThat(AgentHost.agree(List.of(hosts.get(0), again, hosts.get(2)))).isTrue();
    assertThat(edges(again.tree().edges())).containsExactly("h0-h1", "h1-h2");
  }

  @Test
  void a_restart_under_the_old_address_supersedes_the_old_process_even_before_its_end_is_noticed() {
    List<AgentHost> hosts = three();
    network.cut("host0:7700", "host1:7700");
    network.cut("host1:7700", "host2:7700");
    network.crash("host1:7700");
    network.heal("host0:7700", "host1:7700");
    network.heal("host1:7700", "host2:7700");
    AgentHost again = AgentHost.join(network, 1);
    network.run(20_000);
    assertThat(AgentHost.agree(List.of(hosts.get(0), again, hosts.get(2)))).isTrue();
    assertThat(hosts.get(0).notices(Kind.DUPLICATE_ID)).isEmpty();
  }

  @Test
  void a_tree_is_never_lost_while_links_are_and_its_versions_grow() {
    List<AgentHost> hosts = three();
    AgentHost h0 = hosts.get(0);
    for (int i = 0; i < 3; i++) {
      network.cut("host0:7700", "host1:7700");
      network.cut("host0:7700", "host2:7700");
      // Links that fall silent again and again are given more time, each time.
      boolean apart =
          network.runUntil(
              () ->
                  AgentHost.agree(List.of(h0))
                      && AgentHost.agree(List.of(hosts.get(1), hosts.get(2))),
              60_000);
      assertThat(apart).as("each side has a tree of its own").isTrue();
      network.heal("host0:7700", "host1:7700");
      network.heal("host0:7700", "host2:7700");
      network.run(20_000);
      assertThat(AgentHost.agree(hosts)).isTrue();
    }
    for (AgentHost host : hosts) {
      for (int i = 1; i < host.changes().size(); i++) {
        TreeChange change = host.changes().get(i);
        TreeChange before = host.changes().get(i - 1);
        assertThat(change.versionBefore()).isEqualTo(before.tree().version());
        assertThat(change.tree().version()).isGreaterThan(before.tree().version());
      }
    }
  }

  @Test
  void an_agent_that_is_cut_off_alone_reports_a_change_that_took_no_time() {
    List<AgentHost> hosts = three();
    network.run(60_000);
    network.crash("host1:7700");
    network.crash("host2:7700");
    network.run(5_000);
    AgentHost h0 = hosts.get(0);
    assertThat(h0.tree().members()).hasSize(1);
    assertThat(h0.changes().stream().skip(1))
        .allSatisfy(
            change -> assertThat(change.durationNanos()).isLessThan(VirtualNetwork.MILLI * 1_000));
  }

  @Test
  void a_newcomer_is_one_change_to_the_others_and_not_one_for_each_of_its_links() {
    List<AgentHost> hosts = three();
    network.rtt("host3:7700", "host0:7700", 50);
    network.rtt("host3:7700", "host1:7700", 60);
    network.rtt("host3:7700", "host2:7700", 70);
    AgentHost h3 = AgentHost.join(network, 3);
    network.run(20_000);
    assertThat(AgentHost.agree(List.of(hosts.get(0), hosts.get(1), hosts.get(2), h3))).isTrue();
    for (AgentHost host : hosts) {
      assertThat(host.changes()).hasSize(2);
      assertThat(edges(last(host).added())).containsExactly("h0-h3");
      assertThat(last(host).removed()).isEmpty();
      assertThat(last(host).causes())
          .containsAnyOf(ChangeCause.MEMBER_STARTED, ChangeCause.LINK_TO_NON_MEMBER);
    }
  }

  @Test
  void
      a_tree_edge_that_became_slower_than_a_way_round_it_is_replaced_and_data_uses_both_meanwhile() {
    List<AgentHost> hosts = three();
    AgentHost h1 = hosts.get(1);
    // More than twice the 200 ms of the link beside the tree, which weighs the cost of a change
    // more.
    network.rtt("host0:7700", "host1:7700", 600);
    boolean merging =
        network.runUntil(() -> h1.core().treeStatus().phase() == TreePhase.MERGING, 60_000);
    assertThat(merging).isTrue();
    assertThat(h1.core().treeStatus().ready()).isTrue();
    assertThat(h1.link(hosts.get(0)).carriesData()).as("the old edge, still").isTrue();
    network.run(10_000);
    assertThat(AgentHost.agree(hosts)).isTrue();
    for (AgentHost host : hosts) {
      assertThat(host.changes()).hasSize(2);
      assertThat(edges(last(host).removed())).containsExactly("h0-h1");
      assertThat(edges(last(host).added())).containsExactly("h0-h2");
      assertThat(last(host).causes()).containsExactly(ChangeCause.TREE_EDGE_WORSENED);
    }
  }

  @Test
  void a_link_that_became_faster_than_the_way_round_it_replaces_the_slowest_edge_of_that() {
    List<AgentHost> hosts = three();
    network.rtt("host0:7700", "host2:7700", 10);
    network.run(30_000);
    assertThat(AgentHost.agree(hosts)).isTrue();
    for (AgentHost host : hosts) {
      assertThat(edges(last(host).removed())).containsExactly("h1-h2");
      assertThat(edges(last(host).added())).containsExactly("h0-h2");
      assertThat(last(host).causes()).contains(ChangeCause.LIGHTER_LINK);
    }
  }

  @Test
  void a_link_outside_the_tree_that_became_slower_costs_no_message() {
    List<AgentHost> hosts = three();
    long sent = hosts.stream().mapToLong(AgentHost::controlMessagesSent).sum();
    network.rtt("host0:7700", "host2:7700", 500);
    network.run(20_000);
    assertThat(hosts.stream().mapToLong(AgentHost::controlMessagesSent).sum()).isEqualTo(sent);
    assertThat(hosts).allMatch(host -> host.changes().size() == 1);
  }
}
