package io.treecast.agent.core;

import static org.assertj.core.api.Assertions.assertThat;

import io.treecast.agent.core.link.Link;
import io.treecast.agent.core.message.PeerMessage;
import java.util.List;

/** Conditions that the links of a cluster must meet once nothing fails any more. */
public final class LinkAssertions {
  private LinkAssertions() {}

  /**
   * Every pair has exactly one link: the same connection with the same session at both ends, and no
   * other connection is left.
   */
  public static void assertFullyLinked(VirtualNetwork network, List<LinksHost> hosts, long seed) {
    for (LinksHost a : hosts) {
      assertThat(a.links().open())
          .as("seed %d: links of %s", seed, a.address())
          .hasSize(hosts.size() - 1);
      for (Link link : a.links().open()) {
        LinksHost b = byAddress(hosts, link.address);
        Link other =
            b.links().open().stream()
                .filter(l -> l.address.equals(a.address()))
                .findFirst()
                .orElseThrow(
                    () -> new AssertionError("seed " + seed + ": one-sided " + link.control));
        assertThat(link.session).as("seed %d: session", seed).isEqualTo(other.session);
        assertThat(link.control)
            .as("seed %d: connection", seed)
            .matches(c -> ((VirtualNetwork.Stream<PeerMessage>) c).isFarEndOf(other.control));
      }
    }
    assertThat(network.openStreams())
        .as("seed %d: open ends", seed)
        .hasSize(hosts.size() * (hosts.size() - 1));
  }

  private static LinksHost byAddress(List<LinksHost> hosts, String address) {
    return hosts.stream().filter(h -> h.address().equals(address)).findFirst().orElseThrow();
  }
}
