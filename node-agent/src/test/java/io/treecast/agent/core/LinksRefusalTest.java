package io.treecast.agent.core;

import static io.treecast.agent.core.LinkAssertions.assertFullyLinked;
import static io.treecast.agent.core.LinksDiscoveryTest.address;
import static io.treecast.agent.core.LinksDiscoveryTest.member;
import static io.treecast.agent.core.LinksDiscoveryTest.start;
import static org.assertj.core.api.Assertions.assertThat;

import io.treecast.agent.core.Notice.Severity;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Who is not linked with, and what the two agents say about it. */
class LinksRefusalTest {
  private static final long MILLI = VirtualNetwork.MILLI;

  @Test
  void a_newcomer_with_a_taken_id_learns_it_as_fatal_and_the_established_agents_are_unharmed() {
    for (long seed = 0; seed < 200; seed++) {
      Random random = new Random(seed);
      VirtualNetwork network = new VirtualNetwork(seed, MILLI << random.nextInt(9));
      List<LinksHost> cluster = cluster(network, 3, 4);
      network.run(30_000);
      List<Link> before = new ArrayList<>(cluster.get(0).links().open());

      // Called h1 as well; its seed is any agent of the cluster, its namesake included.
      String contact = address(random.nextInt(3));
      LinksHost newcomer =
          LinksHost.start(network, "h1", "intruder:1", Membership.discovered(4, List.of(contact)));
      network.run(30_000);

      assertThat(newcomer.notices(Severity.FATAL))
          .as("seed %d", seed)
          .isNotEmpty()
          .allMatch(
              text ->
                  text.equals(
                      "node id h1 is taken by the agent at host1:7700; start the agent at "
                          + "intruder:1 with another --id"));
      assertThat(newcomer.peers()).as("seed %d", seed).isEmpty();
      for (LinksHost host : cluster) {
        assertThat(host.losses()).as("seed %d: %s", seed, host.address()).isEmpty();
        assertThat(host.notices(Severity.FATAL)).as("seed %d", seed).isEmpty();
      }
      assertThat(cluster.get(0).links().open())
          .as("seed %d", seed)
          .containsExactlyElementsOf(before);
      network.crash("intruder:1");
      network.run(1_000);
      assertFullyLinked(network, cluster, seed);
    }
  }

  @Test
  void an_established_agent_that_dials_a_namesake_is_only_warned() {
    VirtualNetwork network = new VirtualNetwork(1, MILLI);
    LinksHost h0 = start(network, 0, Membership.discovered(3, List.of(address(1), "intruder:1")));
    start(network, 1, Membership.discovered(3, List.of()));
    network.run(10_000);
    LinksHost.start(network, "h0", "intruder:1", Membership.discovered(3, List.of()));
    network.run(60_000);
    assertThat(h0.notices(Severity.WARNING)).anyMatch(text -> text.contains("h0 is taken"));
    assertThat(h0.notices(Severity.FATAL)).isEmpty();
    assertThat(h0.peers()).containsExactly("h1");
  }

  @Test
  void agents_that_expect_different_numbers_of_members_do_not_link_and_both_say_so() {
    for (long seed = 0; seed < 100; seed++) {
      VirtualNetwork network = new VirtualNetwork(seed, 100 * MILLI);
      LinksHost h0 = start(network, 0, Membership.discovered(3, List.of(address(1))));
      LinksHost h1 = start(network, 1, Membership.discovered(4, List.of(address(0))));
      network.run(30_000);
      assertThat(h0.everOpened()).as("seed %d", seed).isEmpty();
      assertThat(h1.everOpened()).as("seed %d", seed).isEmpty();
      assertThat(List.of(h0.links().lastRefusal(), h1.links().lastRefusal()))
          .as("seed %d", seed)
          .contains(
              "h0 expects 3 members and h1 expects 4; start all agents with the same --expect");
      assertThat(h0.notices(Severity.WARNING)).as("seed %d", seed).isNotEmpty();
      assertThat(h1.notices(Severity.WARNING)).as("seed %d", seed).isNotEmpty();
    }
  }

  @Test
  void a_complete_cluster_tells_one_member_too_many_whom_it_has() {
    for (long seed = 0; seed < 200; seed++) {
      Random random = new Random(seed);
      VirtualNetwork network = new VirtualNetwork(seed, MILLI << random.nextInt(9));
      List<LinksHost> cluster = cluster(network, 3, 3);
      network.run(30_000);

      // Lower or higher than those that it meets.
      String id = random.nextBoolean() ? "a" : "z";
      LinksHost late =
          LinksHost.start(
              network, id, "late:1", Membership.discovered(3, List.of(address(random.nextInt(3)))));
      network.run(30_000);

      assertThat(late.links().lastRefusal())
          .as("seed %d", seed)
          .startsWith("the cluster is complete: h")
          .contains("expects 3 members and has")
          .endsWith(id + " is unknown. Restart all agents with a larger --expect to admit it");
      assertThat(late.everOpened()).as("seed %d", seed).isEmpty();
      network.crash("late:1");
      network.run(1_000);
      assertFullyLinked(network, cluster, seed);
      assertThat(cluster).as("seed %d", seed).allMatch(host -> host.losses().isEmpty());
    }
  }

  @Test
  void members_that_come_at_the_same_time_never_make_more_links_than_expected() {
    for (long seed = 0; seed < 1_000; seed++) {
      Random random = new Random(seed);
      VirtualNetwork network = new VirtualNetwork(seed, MILLI << random.nextInt(11));
      List<LinksHost> hosts = new ArrayList<>();
      for (int node = 0; node < 5; node++) {
        List<String> seeds = new ArrayList<>();
        for (int other = 0; other < 5; other++) {
          seeds.add(address(other));
        }
        hosts.add(start(network, node, Membership.discovered(3, seeds)));
      }
      for (int i = 0; i < 100; i++) {
        network.run(200);
        for (LinksHost host : hosts) {
          assertThat(host.peers()).as("seed %d: %s", seed, host.address()).hasSizeLessThan(3);
        }
      }
    }
  }

  @Test
  void an_agent_that_expects_only_itself_refuses_everybody() {
    VirtualNetwork network = new VirtualNetwork(1, MILLI);
    start(network, 0, Membership.discovered(1, List.of()));
    LinksHost h1 = start(network, 1, Membership.discovered(1, List.of(address(0))));
    network.run(1_000);
    assertThat(h1.links().lastRefusal())
        .isEqualTo(
            "the cluster is complete: h0 expects 1 members and has h0; h1 is unknown. Restart all "
                + "agents with a larger --expect to admit it");
  }

  @Test
  void an_agent_with_configured_neighbours_refuses_others() {
    VirtualNetwork network = new VirtualNetwork(1, MILLI);
    start(network, 0, Membership.configured(List.of(member(1))));
    LinksHost h2 = start(network, 2, Membership.configured(List.of(member(0))));
    network.run(5_000);
    assertThat(h2.links().lastRefusal())
        .isEqualTo("h0 has configured neighbours and h2 is not one of them");
  }

  @Test
  void an_agent_that_leaves_says_so_and_its_links_are_not_called_failures() {
    VirtualNetwork network = new VirtualNetwork(1, MILLI);
    List<LinksHost> cluster = cluster(network, 3, 3);
    network.run(30_000);
    int dials = network.dials().size();
    cluster.get(1).links().leave();
    network.run(100);
    assertThat(cluster.get(0).losses()).containsExactly("h1: h1 has left");
    assertThat(cluster.get(2).losses()).containsExactly("h1: h1 has left");
    assertThat(network.openStreams()).as("open ends, of the link between h0 and h2").hasSize(2);
    assertThat(network.dials()).as("nobody has dialed since").hasSize(dials);
  }

  @Test
  void an_agent_that_has_left_neither_dials_nor_links_any_more() {
    for (long seed = 0; seed < 100; seed++) {
      Random random = new Random(seed);
      VirtualNetwork network = new VirtualNetwork(seed, 200 * MILLI);
      List<LinksHost> cluster = cluster(network, 3, 3);
      // In the middle of handshakes as well.
      network.run(random.nextInt(3_000));
      LinksHost leaving = cluster.get(1);
      leaving.links().leave();
      int dials = network.dials().size();
      int opened = leaving.everOpened().size();
      network.run(60_000);
      assertThat(leaving.everOpened()).as("seed %d", seed).hasSize(opened);
      assertThat(network.dials().subList(dials, network.dials().size()))
          .as("seed %d", seed)
          .noneMatch(dial -> dial.startsWith(leaving.address()));
      assertThat(network.openStreams()).as("seed %d", seed).hasSize(2);
    }
  }

  private static List<LinksHost> cluster(VirtualNetwork network, int nodes, int expected) {
    List<LinksHost> hosts = new ArrayList<>();
    for (int node = 0; node < nodes; node++) {
      List<String> seeds = node == 0 ? List.of() : List.of(address(0));
      hosts.add(start(network, node, Membership.discovered(expected, seeds)));
    }
    return hosts;
  }
}
