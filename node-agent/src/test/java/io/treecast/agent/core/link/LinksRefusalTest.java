package io.treecast.agent.core.link;

import static io.treecast.agent.core.LinkAssertions.assertFullyLinked;
import static io.treecast.agent.core.link.LinksDiscoveryTest.address;
import static io.treecast.agent.core.link.LinksDiscoveryTest.member;
import static io.treecast.agent.core.link.LinksDiscoveryTest.start;
import static org.assertj.core.api.Assertions.assertThat;

import io.treecast.agent.core.LinksHost;
import io.treecast.agent.core.VirtualNetwork;
import io.treecast.agent.core.contract.Notice.Severity;
import io.treecast.agent.core.message.Membership;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** An agent refuses links to some agents, and both ends report why. */
class LinksRefusalTest {
  private static final long MILLI = VirtualNetwork.MILLI;

  @Test
  void a_newcomer_with_a_taken_id_learns_it_as_fatal_and_the_established_agents_are_unharmed() {
    for (long seed = 0; seed < 200; seed++) {
      Random random = new Random(seed);
      VirtualNetwork network = new VirtualNetwork(seed, MILLI << random.nextInt(9));
      List<LinksHost> cluster = cluster(network, 3);
      network.run(30_000);
      List<Link> before = new ArrayList<>(cluster.get(0).links().open());

      // Called h1 as well; its seed is any agent of the cluster, its namesake included.
      String contact = address(random.nextInt(3));
      LinksHost newcomer =
          LinksHost.start(network, "h1", "intruder:1", Membership.discovered(List.of(contact)));
      network.run(30_000);

      assertThat(newcomer.notices(Severity.FATAL))
          .as("seed %d", seed)
          .isNotEmpty()
          .allMatch(text -> text.contains(" h1 ") && text.contains("host1:7700"))
          .allMatch(text -> text.contains("intruder:1"))
          .allMatch(text -> text.contains("--cluster"));
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
    LinksHost h0 = start(network, 0, Membership.discovered(List.of(address(1), "intruder:1")));
    start(network, 1, Membership.discovered(List.of()));
    network.run(10_000);
    LinksHost.start(network, "h0", "intruder:1", Membership.discovered(List.of()));
    network.run(60_000);
    assertThat(h0.notices(Severity.WARNING))
        .anyMatch(
            text ->
                text.contains(" h0 ") && text.contains("intruder:1") && text.contains("--cluster"));
    assertThat(h0.notices(Severity.FATAL)).isEmpty();
    assertThat(h0.peers()).containsExactly("h1");
  }

  @Test
  void an_address_at_which_another_member_answers_is_reported_once() {
    VirtualNetwork network = new VirtualNetwork(1, MILLI);
    List<LinksHost> cluster = cluster(network, 3);
    network.run(30_000);
    network.crash(address(1));
    LinksHost.start(network, "x", address(1), Membership.discovered(List.of()));
    network.run(600_000);

    List<String> said = new ArrayList<>();
    for (LinksHost host : List.of(cluster.get(0), cluster.get(2))) {
      assertThat(host.peers()).contains("x");
      assertThat(host.notices(Severity.WARNING)).hasSizeLessThanOrEqualTo(1);
      said.addAll(host.notices(Severity.WARNING));
    }
    assertThat(said)
        .isNotEmpty()
        .allMatch(text -> text.contains(address(1)) && text.matches(".*\\bx\\b.*\\bh1\\b.*"));
  }

  @Test
  void an_agent_with_configured_neighbours_refuses_others() {
    VirtualNetwork network = new VirtualNetwork(1, MILLI);
    start(network, 0, Membership.configured(List.of(member(1))));
    LinksHost h2 = start(network, 2, Membership.configured(List.of(member(0))));
    network.run(5_000);
    assertThat(h2.links().lastRefusal()).contains("h0", "h2");
  }

  @Test
  void agents_of_different_clusters_do_not_link_and_each_says_once_whose_they_are() {
    VirtualNetwork network = new VirtualNetwork(1, MILLI);
    LinksHost h0 =
        LinksHost.start(network, "h0", address(0), "staging", Membership.discovered(List.of()));
    LinksHost h1 = start(network, 1, Membership.discovered(List.of(address(0))));
    // Also one whose name is taken in the other cluster, which is nothing to it.
    LinksHost namesake =
        LinksHost.start(
            network, "h0", "there:1", "production", Membership.discovered(List.of(address(0))));
    network.run(600_000);

    String advice =
        "; start all agents of a cluster with the same --cluster, and with seeds of that cluster"
            + " only";
    String ofH1 =
        "h0 at host0:7700 belongs to cluster staging, and h1 at host1:7700 to no named cluster"
            + advice;
    String ofNamesake =
        "h0 at host0:7700 belongs to cluster staging, and h0 at there:1 to cluster production"
            + advice;
    assertThat(h0.notices(Severity.WARNING))
        .hasSize(2)
        .allMatch(text -> text.startsWith("refused a connection from "))
        .anyMatch(text -> text.endsWith(ofH1))
        .anyMatch(text -> text.endsWith(ofNamesake));
    assertThat(h1.notices(Severity.WARNING)).containsExactly("refused by host0:7700: " + ofH1);
    assertThat(namesake.notices(Severity.WARNING))
        .containsExactly("refused by host0:7700: " + ofNamesake);
    assertThat(namesake.notices(Severity.FATAL)).isEmpty();
    assertThat(List.of(h0, h1, namesake)).allMatch(host -> host.everOpened().isEmpty());

    // They try on, for as long as it takes.
    network.crash(address(0));
    LinksHost right = start(network, 0, Membership.discovered(List.of()));
    network.run(30_000);
    assertThat(right.peers()).containsExactly("h1");
  }

  @Test
  void agents_with_chunks_of_different_sizes_do_not_link_and_each_says_once_which_they_have() {
    VirtualNetwork network = new VirtualNetwork(1, MILLI);
    Membership seed = Membership.discovered(List.of(address(0)));
    LinksHost h0 =
        LinksHost.start(network, "h0", address(0), 65_536, Membership.discovered(List.of()));
    LinksHost h1 = LinksHost.start(network, "h1", address(1), 65_536, seed);
    LinksHost silent = start(network, 2, seed);
    network.run(10_000);
    List<Link> before = List.copyOf(h0.links().open());
    LinksHost other = LinksHost.start(network, "h3", address(3), 32_768, seed);
    network.run(600_000);

    String reason =
        "h0 at host0:7700 has limits.chunkBytes = 65536, and h3 at host3:7700 32768; all agents of"
            + " a cluster need the same value: correct it where it differs, and restart that agent";
    assertThat(h0.notices(Severity.WARNING))
        .singleElement()
        .matches(text -> text.startsWith("refused a connection from "))
        .matches(text -> text.endsWith(reason));
    assertThat(other.notices(Severity.WARNING)).containsExactly("refused by host0:7700: " + reason);
    assertThat(other.everOpened()).isEmpty();
    assertThat(h0.links().open()).containsExactlyElementsOf(before);
    assertThat(List.of(h0, h1, silent)).allMatch(host -> host.peers().size() == 2);
    assertThat(h1.notices(Severity.WARNING)).as("nobody is told of who is refused").isEmpty();
  }

  @Test
  void an_agent_that_leaves_says_so_and_its_links_are_not_called_failures() {
    VirtualNetwork network = new VirtualNetwork(1, MILLI);
    List<LinksHost> cluster = cluster(network, 3);
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
      List<LinksHost> cluster = cluster(network, 3);
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

  private static List<LinksHost> cluster(VirtualNetwork network, int nodes) {
    List<LinksHost> hosts = new ArrayList<>();
    for (int node = 0; node < nodes; node++) {
      List<String> seeds = node == 0 ? List.of() : List.of(address(0));
      hosts.add(start(network, node, Membership.discovered(seeds)));
    }
    return hosts;
  }
}
