package io.treecast.agent.core;

import static io.treecast.agent.core.LinkAssertions.assertFullyLinked;
import static io.treecast.agent.core.link.LinksDiscoveryTest.address;
import static io.treecast.agent.core.link.LinksDiscoveryTest.member;
import static io.treecast.agent.core.link.LinksDiscoveryTest.start;
import static org.assertj.core.api.Assertions.assertThat;

import io.treecast.agent.core.link.Link;
import io.treecast.agent.core.message.AnnouncedMember;
import io.treecast.agent.core.message.Member;
import io.treecast.agent.core.message.Membership;
import io.treecast.agent.core.message.PeerMessage.Members;
import io.treecast.ghs.NodeId;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/** A member that tells of addresses where nobody is; h0 hears it. */
class AnnouncedAddressesTest {
  private final VirtualNetwork network = new VirtualNetwork(1, VirtualNetwork.MILLI);
  private final List<LinksHost> hosts = new ArrayList<>();

  AnnouncedAddressesTest() {
    for (int node = 0; node < 4; node++) {
      hosts.add(start(network, node, Membership.discovered(node == 0 ? List.of() : seed())));
    }
    network.run(10_000);
    assertFullyLinked(network, hosts, 1);
  }

  private static List<String> seed() {
    return List.of(address(0));
  }

  private void tellH0(List<AnnouncedMember> announced) {
    Link link = Objects.requireNonNull(hosts.get(3).linkTo("h0"));
    link.control.send(new Members(announced, List.of(), 0));
  }

  private List<String> dialsOfNobody() {
    return network.dials().stream().filter(dial -> dial.contains("nobody")).toList();
  }

  @Test
  void only_the_agent_that_received_the_addresses_dials_them_and_ever_less_often() {
    List<AnnouncedMember> announced = new ArrayList<>();
    for (int i = 0; i < 20; i++) {
      announced.add(new AnnouncedMember(new Member(NodeId.of("x" + i), "nobody" + i + ":1"), 1, 0));
    }
    tellH0(announced);
    network.run(60_000);
    hosts.add(start(network, 4, Membership.discovered(seed())));
    network.run(12 * 3_600_000);

    assertThat(dialsOfNobody()).allMatch(dial -> dial.startsWith(address(0)));
    assertThat(dialsOfNobody()).hasSizeBetween(20, 20 * 120);
    assertFullyLinked(network, hosts, 1);
  }

  @Test
  void a_linked_member_announced_at_another_address_is_looked_up_there_once() {
    tellH0(
        List.of(new AnnouncedMember(new Member(NodeId.of("h2"), "nobody:1"), Long.MAX_VALUE, 0)));
    network.run(3_600_000);

    assertThat(dialsOfNobody()).containsExactly(address(0) + " > nobody:1");
    assertThat(hosts.get(0).links().known().all()).contains(member(2));
  }
}
