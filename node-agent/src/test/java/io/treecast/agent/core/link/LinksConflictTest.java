package io.treecast.agent.core.link;

import static io.treecast.agent.core.LinkAssertions.assertFullyLinked;
import static io.treecast.agent.core.link.LinksDiscoveryTest.address;
import static io.treecast.agent.core.link.LinksDiscoveryTest.start;
import static org.assertj.core.api.Assertions.assertThat;

import io.treecast.agent.core.LinksHost;
import io.treecast.agent.core.VirtualNetwork;
import io.treecast.agent.core.VirtualNetwork.Stream;
import io.treecast.agent.core.message.Membership;
import io.treecast.agent.core.message.PeerMessage;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Connections that cross, break at one end, or come from an earlier life of an agent. */
class LinksConflictTest {
  private static final int SEEDS = 1_000;

  @Test
  void dials_that_cross_end_with_one_link_and_one_session_at_both_ends() {
    for (long seed = 0; seed < SEEDS; seed++) {
      Random random = new Random(seed);
      VirtualNetwork network = network(seed, random);
      List<LinksHost> hosts = mutualSeeds(network, 2 + random.nextInt(3), random);
      network.run(60_000);
      assertFullyLinked(network, hosts, seed);
      for (LinksHost host : hosts) {
        assertThat(host.losses()).as("seed %d: no link was opened in vain", seed).isEmpty();
      }
    }
  }

  @Test
  void links_that_break_at_one_end_or_both_come_back_with_a_later_session_at_both_ends() {
    for (long seed = 0; seed < SEEDS; seed++) {
      Random random = new Random(seed);
      VirtualNetwork network = network(seed, random);
      List<LinksHost> hosts = mutualSeeds(network, 2 + random.nextInt(3), random);
      int pauseMillis = 1 << random.nextInt(12);
      for (int fault = 0; fault < 30; fault++) {
        network.run(random.nextInt(pauseMillis));
        if (random.nextInt(8) == 0) {
          breakHalfOpen(network);
        } else {
          breakOne(network, random);
        }
      }
      // What broke at one end is half open at the other; a transport notices that in the end.
      network.run(1_000);
      breakHalfOpen(network);
      network.run(120_000);
      assertFullyLinked(network, hosts, seed);
      assertSessionsRise(hosts, seed);
    }
  }

  @Test
  void a_link_that_only_its_owner_lost_is_replaced_by_the_next_session() {
    for (long seed = 0; seed < 200; seed++) {
      VirtualNetwork network = new VirtualNetwork(seed, 50 * VirtualNetwork.MILLI);
      List<LinksHost> hosts = mutualSeeds(network, 2, new Random(seed));
      network.run(10_000);
      Link lost = linkOf(hosts.get(0), "h1");
      ((Stream<PeerMessage>) lost.control).breakHere("no route to host");
      assertThat(hosts.get(0).peers()).isEmpty();
      assertThat(hosts.get(1).peers()).containsExactly("h0");

      network.run(30_000);
      assertFullyLinked(network, hosts, seed);
      assertThat(linkOf(hosts.get(1), "h0").session).isEqualTo(lost.session + 1);
      assertThat(hosts.get(1).losses())
          .as("seed %d", seed)
          .containsExactly("h0: replaced by session " + (lost.session + 1));
    }
  }

  @Test
  void an_agent_that_restarts_at_its_address_gets_its_links_back() {
    for (long seed = 0; seed < SEEDS / 2; seed++) {
      Random random = new Random(seed);
      VirtualNetwork network = network(seed, random);
      List<LinksHost> hosts = mutualSeeds(network, 3, random);
      for (int restart = 0; restart < 3; restart++) {
        network.run(random.nextInt(5_000));
        int node = random.nextInt(3);
        if (random.nextBoolean()) {
          // Down for a while, else the others hear of the new process before the old one's end.
          network.crash(address(node));
          network.run(random.nextInt(3_000));
        }
        hosts.set(node, start(network, node, mutual(3)));
      }
      network.run(120_000);
      assertFullyLinked(network, hosts, seed);
    }
  }

  private static VirtualNetwork network(long seed, Random random) {
    // From delays much shorter to delays longer than the pauses between dials.
    return new VirtualNetwork(seed, VirtualNetwork.MILLI << random.nextInt(11));
  }

  private static List<LinksHost> mutualSeeds(VirtualNetwork network, int nodes, Random random) {
    List<LinksHost> hosts = new ArrayList<>();
    for (int node = 0; node < nodes; node++) {
      hosts.add(start(network, node, mutual(nodes)));
      if (random.nextBoolean()) {
        network.run(random.nextInt(1_000));
      }
    }
    return hosts;
  }

  private static Membership mutual(int nodes) {
    List<String> seeds = new ArrayList<>();
    for (int node = 0; node < nodes; node++) {
      seeds.add(address(node));
    }
    return Membership.discovered(seeds);
  }

  private static void breakOne(VirtualNetwork network, Random random) {
    List<Stream<?>> open = network.openStreams();
    if (!open.isEmpty()) {
      Stream<?> stream = open.get(random.nextInt(open.size()));
      if (random.nextInt(3) == 0) {
        stream.breakBoth("connection reset");
      } else {
        stream.breakHere("connection reset");
      }
    }
  }

  private static void breakHalfOpen(VirtualNetwork network) {
    List<Stream<?>> open = network.openStreams();
    for (Stream<?> stream : open) {
      if (stream.isHalfOpen()) {
        stream.breakHere("keepalive failed");
      }
    }
  }

  private static void assertSessionsRise(List<LinksHost> hosts, long seed) {
    for (LinksHost host : hosts) {
      for (LinksHost peer : hosts) {
        List<Long> sessions =
            host.everOpened().stream()
                .filter(link -> link.address.equals(peer.address()))
                .map(link -> link.session)
                .toList();
        assertThat(sessions)
            .as("seed %d: sessions of %s with %s", seed, host.address(), peer.address())
            .isSorted()
            .doesNotHaveDuplicates();
      }
    }
  }

  private static Link linkOf(LinksHost host, String peer) {
    Link link = host.linkTo(peer);
    if (link == null) {
      throw new AssertionError(host.address() + " has no link to " + peer);
    }
    return link;
  }
}
