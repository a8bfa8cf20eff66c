package io.treecast.agent.core.link;

import static io.treecast.agent.core.LinkAssertions.assertFullyLinked;
import static org.assertj.core.api.Assertions.assertThat;

import io.treecast.agent.core.LinksHost;
import io.treecast.agent.core.RecordingConnection;
import io.treecast.agent.core.VirtualNetwork;
import io.treecast.agent.core.contract.Notice.Severity;
import io.treecast.agent.core.message.Member;
import io.treecast.agent.core.message.Membership;
import io.treecast.agent.core.message.PeerMessage;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Agents find each other. */
public class LinksDiscoveryTest {

  @Test
  void agents_find_each_other_from_one_seed_whatever_the_order_of_their_starts() {
    for (long seed = 0; seed < 100; seed++) {
      Random random = new Random(seed);
      VirtualNetwork network =
          new VirtualNetwork(seed, 1 + random.nextLong(500 * VirtualNetwork.MILLI));
      int nodes = 2 + random.nextInt(7);
      List<Integer> order = shuffled(nodes, random);
      int seedNode = random.nextInt(nodes);
      List<LinksHost> hosts = new ArrayList<>();
      for (int node : order) {
        hosts.add(start(network, node, Membership.discovered(List.of(address(seedNode)))));
        network.run(random.nextInt(3_000));
      }
      network.run(60_000);
      assertFullyLinked(network, hosts, seed);
    }
  }

  @Test
  void any_connected_set_of_seeds_will_do_even_if_some_of_them_are_down_for_a_while() {
    for (long seed = 0; seed < 100; seed++) {
      Random random = new Random(seed);
      VirtualNetwork network =
          new VirtualNetwork(seed, 1 + random.nextLong(200 * VirtualNetwork.MILLI));
      int nodes = 3 + random.nextInt(6);
      List<LinksHost> hosts = new ArrayList<>();
      for (int node : shuffled(nodes, random)) {
        List<String> seeds = new ArrayList<>(List.of("nobody:1", "nobody:2"));
        if (node > 0) {
          seeds.add(address(random.nextInt(node)));
        }
        Collections.shuffle(seeds, random);
        hosts.add(start(network, node, Membership.discovered(seeds)));
        network.run(random.nextInt(10_000));
      }
      network.run(120_000);
      // Nobody's addresses are tried on: nothing stays open there.
      assertFullyLinked(network, hosts, seed);
    }
  }

  @Test
  void configured_neighbours_link_with_each_other_and_with_nobody_else() {
    for (long seed = 0; seed < 50; seed++) {
      VirtualNetwork network = new VirtualNetwork(seed, 100 * VirtualNetwork.MILLI);
      // A path of three: h0 - h1 - h2.
      LinksHost h0 = start(network, 0, Membership.configured(List.of(member(1))));
      LinksHost h2 = start(network, 2, Membership.configured(List.of(member(1))));
      LinksHost h1 = start(network, 1, Membership.configured(List.of(member(0), member(2))));
      network.run(30_000);
      assertThat(h0.peers()).as("seed %d", seed).containsExactly("h1");
      assertThat(h1.peers()).as("seed %d", seed).containsExactly("h0", "h2");
      assertThat(h2.peers()).as("seed %d", seed).containsExactly("h1");
      assertThat(network.openStreams()).as("seed %d", seed).hasSize(4);
    }
  }

  @Test
  void a_seed_that_is_this_very_agent_is_dialed_a_few_times_and_is_no_seed_that_is_missed() {
    VirtualNetwork network = new VirtualNetwork(1, VirtualNetwork.MILLI);
    LinksHost host = start(network, 0, Membership.discovered(List.of(address(0))));
    network.run(3_600_000);
    assertThat(network.dials()).hasSizeBetween(1, 8);
    assertThat(host.notices(Severity.WARNING)).isEmpty();
    assertThat(host.links().seedCount()).isZero();
    assertThat(host.links().unansweredSeeds()).isEmpty();
  }

  @Test
  void an_agent_with_links_does_not_dial_the_address_that_it_announces() {
    VirtualNetwork network = new VirtualNetwork(1, VirtualNetwork.MILLI);
    start(network, 1, Membership.discovered(List.of()));
    start(network, 0, Membership.discovered(List.of(address(0), address(1))));
    network.run(3_600_000);
    // Before it had them, it did.
    assertThat(network.dials().stream().filter(dial -> dial.endsWith(address(0))))
        .hasSizeLessThanOrEqualTo(2);
  }

  /** Each would otherwise reach the other's further connections, or itself. */
  @Test
  void agents_that_announce_the_address_of_one_balancer_do_not_link_and_tell_of_each_other() {
    VirtualNetwork network = new VirtualNetwork(1, VirtualNetwork.MILLI);
    network.leadTo("balancer:1", "h0:1", "h1:1", "h2:1");
    List<LinksHost> hosts = new ArrayList<>();
    for (String id : List.of("h0", "h1", "h2")) {
      LinksHost host =
          LinksHost.start(network, id, "balancer:1", Membership.discovered(List.of("balancer:1")));
      network.put(id + ":1", host);
      hosts.add(host);
    }
    network.run(60_000);
    for (LinksHost host : hosts) {
      assertThat(host.everOpened()).isEmpty();
      assertThat(host.notices(Severity.WARNING)).anyMatch(text -> text.contains("balancer:1"));
    }
  }

  @Test
  void a_seed_that_is_this_very_agent_under_another_name_is_recognised_when_it_answers() {
    VirtualNetwork network = new VirtualNetwork(1, VirtualNetwork.MILLI);
    LinksHost other = start(network, 1, Membership.discovered(List.of(address(0))));
    LinksHost host = start(network, 0, Membership.discovered(List.of("alias:1", address(1))));
    network.put("alias:1", host);
    network.run(60_000);
    // The first time it was not there yet.
    assertThat(network.dials().stream().filter(dial -> dial.endsWith("alias:1"))).hasSize(2);
    assertThat(host.notices(Severity.WARNING)).isEmpty();
    assertFullyLinked(network, List.of(host, other), 1);
  }

  @Test
  void agents_whose_seed_is_a_balancer_find_each_other_whoever_it_leads_to_first() {
    for (long seed = 0; seed < 50; seed++) {
      Random random = new Random(seed);
      VirtualNetwork network = new VirtualNetwork(seed, 100 * VirtualNetwork.MILLI);
      int nodes = 2 + random.nextInt(5);
      List<String> behind = new ArrayList<>();
      List<LinksHost> hosts = new ArrayList<>();
      for (int node = 0; node < nodes; node++) {
        behind.add(address(node));
      }
      // What leads nowhere comes first.
      for (int dead = random.nextInt(4); dead > 0; dead--) {
        behind.add(0, "dead" + dead + ":1");
      }
      network.leadTo("balancer:1", behind.toArray(String[]::new));
      for (int node = 0; node < nodes; node++) {
        hosts.add(start(network, node, Membership.discovered(List.of("balancer:1"))));
      }
      network.run(600_000);
      assertFullyLinked(network, hosts, seed);
    }
  }

  @Test
  void a_seed_that_may_lead_elsewhere_is_asked_seldom_by_an_agent_that_has_links() {
    VirtualNetwork network = new VirtualNetwork(1, VirtualNetwork.MILLI);
    start(network, 0, Membership.discovered(List.of()));
    network.leadTo("alias:1", address(0));
    LinksHost h1 = start(network, 1, Membership.discovered(List.of("alias:1")));
    network.run(3_600_000);
    assertThat(network.dials()).as("in an hour").hasSizeBetween(10, 40);
    assertThat(h1.everOpened()).hasSize(1);
  }

  @Test
  void an_agent_that_finds_only_itself_says_so_once_and_tries_on() {
    VirtualNetwork network = new VirtualNetwork(1, VirtualNetwork.MILLI);
    network.leadTo("alias:1", address(0));
    LinksHost h0 = start(network, 0, Membership.discovered(List.of("down:1", "alias:1")));
    network.run(600_000);
    assertThat(h0.notices(Severity.WARNING))
        .filteredOn(text -> text.contains("alias:1"))
        .singleElement()
        .matches(text -> text.contains("down:1: connection refused"));
    assertThat(h0.links().unansweredSeeds()).hasSize(2);

    LinksHost h1 = start(network, 1, Membership.discovered(List.of()));
    network.leadTo("alias:1", address(0), address(1));
    network.run(30_000);
    assertFullyLinked(network, List.of(h0, h1), 1);
    assertThat(h0.links().unansweredSeeds()).hasSize(1);
  }

  @Test
  void seeds_that_do_not_answer_are_reported_once() {
    VirtualNetwork network = new VirtualNetwork(1, VirtualNetwork.MILLI);
    LinksHost host = start(network, 0, Membership.discovered(List.of("down:1", "down:2")));
    network.run(600_000);
    assertThat(host.notices(Severity.WARNING))
        .singleElement()
        .asString()
        .contains("down:1: connection refused", "down:2: connection refused", "--seeds");
    assertThat(host.links().silentSeeds()).containsExactly("down:1", "down:2");
  }

  @Test
  void a_seed_that_is_down_is_not_an_error_when_another_answers() {
    VirtualNetwork network = new VirtualNetwork(1, VirtualNetwork.MILLI);
    LinksHost h0 = start(network, 0, Membership.discovered(List.of()));
    LinksHost h1 = start(network, 1, Membership.discovered(List.of("down:1", address(0))));
    network.run(60_000);
    assertFullyLinked(network, List.of(h0, h1), 1);
    assertThat(h1.notices(Severity.WARNING)).isEmpty();
  }

  @Test
  void a_seed_that_refuses_is_not_reported_as_silent() {
    VirtualNetwork network = new VirtualNetwork(1, VirtualNetwork.MILLI);
    start(network, 0, Membership.configured(List.of(member(5))));
    LinksHost h1 = start(network, 1, Membership.discovered(List.of(address(0), "down:1")));
    network.run(60_000);
    assertThat(h1.links().silentSeeds()).containsExactly("down:1");
    assertThat(h1.notices(Severity.WARNING)).isNotEmpty().noneMatch(n -> n.contains("no seed"));
  }

  @Test
  void an_agent_without_seeds_that_is_called_by_strangers_does_not_complain_of_silent_seeds() {
    VirtualNetwork network = new VirtualNetwork(1, VirtualNetwork.MILLI);
    LinksHost h0 = start(network, 0, Membership.discovered(List.of(address(0))));
    RecordingConnection<PeerMessage> stranger = new RecordingConnection<>("stranger:1");
    h0.controlAccepted(stranger, network.nowNanos());
    h0.controlClosed(stranger, "gone", network.nowNanos());
    assertThat(h0.notices(Severity.WARNING)).isEmpty();
  }

  @Test
  void the_address_of_a_member_that_has_moved_is_learnt_from_others() {
    VirtualNetwork network = new VirtualNetwork(1, VirtualNetwork.MILLI);
    LinksHost far = start(network, 0, Membership.discovered(List.of(address(1))));
    start(network, 1, Membership.discovered(List.of()));
    start(network, 2, Membership.discovered(List.of(address(1))));
    network.run(30_000);
    assertThat(far.links().known().all()).contains(member(2));

    network.crash(address(2));
    network.cut(address(0), "moved:7700");
    LinksHost.start(network, "h2", "moved:7700", Membership.discovered(List.of(address(1))));
    network.run(30_000);

    assertThat(far.links().known().all()).contains(new Member(member(2).id(), "moved:7700"));
  }

  @Test
  void a_member_too_far_from_its_seed_for_a_handshake_is_introduced_to_the_others() {
    for (int seedNode : List.of(0, 3)) {
      // The one end or the other is the owner of the link.
      int farNode = 3 - seedNode;
      VirtualNetwork network = VirtualNetwork.measurable(1, 50 * VirtualNetwork.MILLI);
      network.rtt(address(seedNode), address(farNode), 12_000);
      LinksHost atSeed = start(network, seedNode, Membership.discovered(List.of()));
      Membership bySeed = Membership.discovered(List.of(address(seedNode)));
      LinksHost h1 = start(network, 1, bySeed);
      LinksHost h2 = start(network, 2, bySeed);
      network.run(30_000);
      LinksHost far = start(network, farNode, bySeed);

      network.run(20_000);

      assertThat(far.peers()).as("seed h%d", seedNode).contains("h1", "h2");
      assertThat(h1.peers()).as("seed h%d", seedNode).contains("h" + farNode, "h2");
      assertThat(h2.peers()).as("seed h%d", seedNode).contains("h" + farNode, "h1");
      assertThat(atSeed.notices(Severity.WARNING)).hasSize(1);
    }
  }

  private static List<Integer> shuffled(int nodes, Random random) {
    List<Integer> order = new ArrayList<>(IntStream.range(0, nodes).boxed().toList());
    Collections.shuffle(order, random);
    return order;
  }

  public static String address(int node) {
    return "host" + node + ":7700";
  }

  public static Member member(int node) {
    return new Member(io.treecast.ghs.NodeId.of("h" + node), address(node));
  }

  public static LinksHost start(VirtualNetwork network, int node, Membership membership) {
    return LinksHost.start(network, "h" + node, address(node), membership);
  }
}
