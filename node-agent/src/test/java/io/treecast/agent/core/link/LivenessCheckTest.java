package io.treecast.agent.core.link;

import static org.assertj.core.api.Assertions.assertThat;

import io.treecast.agent.core.AgentHost;
import io.treecast.agent.core.VirtualNetwork;
import io.treecast.agent.core.contract.Notice;
import io.treecast.agent.core.contract.Notice.Severity;
import io.treecast.agent.core.message.Membership;
import io.treecast.agent.core.message.PeerMessage;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * An agent comes with the name of another, under another address: it replaces a host that is dead,
 * or it was started by mistake. Agents h0, h1 and h2 in virtual time, in a tree with the edges
 * h0-h1 and h1-h2; the link h0-h2 is seldom probed.
 */
class LivenessCheckTest {
  private static final String ELSEWHERE = "elsewhere:1";

  private final VirtualNetwork network = VirtualNetwork.measurable(1, 10 * VirtualNetwork.MILLI);
  private final List<AgentHost> hosts;

  LivenessCheckTest() {
    network.rtt("host0:7700", "host1:7700", 20);
    network.rtt("host1:7700", "host2:7700", 30);
    network.rtt("host0:7700", "host2:7700", 200);
    hosts = AgentHost.cluster(network, 3);
    AgentHost.runUntilReady(network, hosts, 1);
    network.run(120_000);
  }

  private AgentHost startElsewhere(int node, int seed) {
    return AgentHost.start(
        network,
        "h" + node,
        ELSEWHERE,
        Membership.discovered(List.of(LinksDiscoveryTest.address(seed))));
  }

  /** Its connections stay open at the other ends, where nothing is heard any more. */
  private void hostDies(int node) {
    String dead = LinksDiscoveryTest.address(node);
    for (AgentHost host : hosts) {
      network.cut(dead, host.address());
    }
    network.crash(dead);
  }

  private List<AgentHost> othersAnd(int node, AgentHost replacement) {
    List<AgentHost> now = new ArrayList<>(hosts);
    now.set(node, replacement);
    return now;
  }

  @ParameterizedTest(name = "h{0}")
  @ValueSource(ints = {1, 2})
  void a_replacement_that_starts_at_once_waits_until_the_dead_host_is_found_silent(int node) {
    hostDies(node);
    AgentHost replacement = startElsewhere(node, 0);
    network.run(100);
    assertThat(replacement.notices(Notice.Kind.LINK_REFUSED))
        .singleElement()
        .asString()
        .contains("host0:7700", " h" + node + " ", "host%d:7700".formatted(node), "elsewhere:1");
    List<AgentHost> now = othersAnd(node, replacement);
    boolean isIn = network.runUntil(() -> AgentHost.agree(now), 20_000);
    assertThat(isIn).as("in the tree").isTrue();
    assertThat(replacement.notices(Severity.FATAL)).isEmpty();
    assertThat(replacement.notices(Severity.WARNING))
        .filteredOn(text -> text.contains("refused"))
        .as("said once of each that refuses")
        .isNotEmpty()
        .doesNotHaveDuplicates();
  }

  @ParameterizedTest(name = "h{0}")
  @ValueSource(ints = {1, 2})
  void a_second_agent_of_a_name_that_is_in_use_ends_soon_and_says_why(int node) {
    AgentHost second = startElsewhere(node, 0);
    boolean isFatal = network.runUntil(() -> !second.notices(Severity.FATAL).isEmpty(), 2_000);
    assertThat(isFatal).isTrue();
    assertThat(second.notices(Severity.FATAL))
        .singleElement()
        .matches(text -> text.contains(" h%d ".formatted(node)))
        .matches(text -> text.contains("host%d:7700".formatted(node)) && text.contains(ELSEWHERE));
    network.crash(ELSEWHERE);
    network.run(10_000);
    assertThat(AgentHost.agree(hosts)).isTrue();
    assertThat(hosts).allMatch(host -> host.changes().size() == hosts.get(0).changes().size());
    assertThat(hosts).allMatch(host -> host.notices(Notice.Kind.LINK_SUSPENDED).isEmpty());
  }

  @ParameterizedTest(name = "h{0}")
  @ValueSource(ints = {0, 1, 2})
  void it_is_let_in_soon_after_that_when_the_first_agent_has_died_meanwhile(int node) {
    int seed = node == 0 ? 2 : 0;
    AgentHost second = startElsewhere(node, seed);
    boolean isFatal = network.runUntil(() -> !second.notices(Severity.FATAL).isEmpty(), 2_000);
    assertThat(isFatal).as("refused").isTrue();
    network.crash(ELSEWHERE);
    hostDies(node);
    network.run(100);

    AgentHost third = startElsewhere(node, seed);
    List<AgentHost> now = othersAnd(node, third);
    boolean isIn = network.runUntil(() -> AgentHost.agree(now), 20_000);
    assertThat(third.notices(Severity.FATAL)).isEmpty();
    assertThat(isIn).as("in the tree").isTrue();
  }

  @Test
  void only_replies_to_what_was_sent_since_an_agent_was_asked_answer() {
    LivenessCheck owners = new LivenessCheck(1, 7, 0, 0);
    owners.received(new PeerMessage.Heartbeat(500, false, 0, null));
    owners.received(new PeerMessage.ProbeReply(7, 0));
    assertThat(owners.isAnswered(1, 20_000_000_000L)).as("queued or under way").isFalse();
    owners.received(new PeerMessage.ProbeReply(8, 0));
    assertThat(owners.isAnswered(1, 20_000_000_000L)).isTrue();

    LivenessCheck others = new LivenessCheck(1, 0, 2, 0);
    others.received(new PeerMessage.Probe(9, 500, 1, false, null));
    others.received(new PeerMessage.HeartbeatReply(500, 0));
    others.received(new PeerMessage.HeartbeatReply(500, 0));
    assertThat(others.isAnswered(1, 20_000_000_000L)).as("queued or under way").isFalse();
    others.received(new PeerMessage.HeartbeatReply(0, 0));
    assertThat(others.isAnswered(1, 20_000_000_000L)).isTrue();
  }
}
