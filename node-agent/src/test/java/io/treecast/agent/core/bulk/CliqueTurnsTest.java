package io.treecast.agent.core.bulk;

import static org.assertj.core.api.Assertions.assertThat;

import io.treecast.agent.core.LinksHost;
import io.treecast.agent.core.RecordingConnection;
import io.treecast.agent.core.TestConfig;
import io.treecast.agent.core.VirtualNetwork;
import io.treecast.agent.core.link.Link;
import io.treecast.agent.core.link.Links;
import io.treecast.agent.core.message.Membership;
import io.treecast.agent.core.message.PeerMessage;
import io.treecast.agent.core.message.PeerMessage.Hello;
import io.treecast.agent.core.message.PeerMessage.PassToken;
import io.treecast.agent.core.settings.CoreConfig;
import io.treecast.agent.core.settings.LinkLimits;
import io.treecast.collectives.broadcast.contract.BroadcastLimits;
import io.treecast.ghs.LinkWeight;
import io.treecast.ghs.NodeId;
import io.treecast.monitor.probe.SilenceDetector;
import io.treecast.monitor.probe.SilencePolicy;
import io.treecast.monitor.throughput.CliqueToken;
import io.treecast.monitor.throughput.ThroughputPolicy;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Links of up to 3 ms are within a site: this determines which agents are in the site of agent
 * {@code m}, and which take turns.
 */
class CliqueTurnsTest {
  private static final NodeId SELF = NodeId.of("m");
  private static final NodeId PEER = NodeId.of("z");

  private static boolean isWithinSite(
      @Nullable String own, @Nullable String peers, @Nullable LinkWeight weight) {
    Link link =
        new Link(
            new Hello(PEER, 1, "z:1", peers, "", true, 0),
            1,
            new RecordingConnection<>("z:1"),
            null,
            new SilenceDetector(SilencePolicy.DEFAULT, 0));
    link.weight = weight;
    return new CliqueTurns(SELF, own, 3_000, links()).isWithinSite(link);
  }

  private static Links links() {
    VirtualNetwork network = new VirtualNetwork(1, VirtualNetwork.MILLI);
    return LinksHost.start(network, "m", "m:1", Membership.discovered(List.of())).links();
  }

  @ParameterizedTest(name = "{0} and {1}, {2} us: {3}")
  @CsvSource({
    "east, east, 90000, true",
    "east, west, 500, false",
    "east, , 3000, true",
    "east, , 3001, false",
    ", west, 3000, true",
    ", west, 3001, false",
    ", , 3000, true",
    ", , 3001, false",
  })
  void names_decide_where_both_ends_have_one_and_else_the_weight(
      @Nullable String own, @Nullable String peers, long rttMicros, boolean isWithin) {
    assertThat(isWithinSite(own, peers, LinkWeight.between(SELF, PEER, rttMicros)))
        .isEqualTo(isWithin);
  }

  @Test
  void an_agent_that_measures_no_throughput_has_no_part_in_turns() {
    Links links = links();
    CliqueTurns turns = new CliqueTurns(SELF, "east", 3_000, links);
    RecordingConnection<PeerMessage> withoutTurns = open(links, "z", ThroughputPolicy.DISABLED);
    turns.look(0);
    assertThat(turns.isTurn(0)).as("nobody else probes").isTrue();

    RecordingConnection<PeerMessage> withTurns = open(links, "a", ThroughputPolicy.DEFAULT);
    turns.look(0);
    assertThat(turns.isTurn(0)).isFalse();
    turns.received(new PassToken(7, NodeId.of("a")), 0);
    turns.tick(false, CliqueToken.IDLE_HOLD_NANOS);
    assertThat(withTurns.takeSent()).contains(new PassToken(7, NodeId.of("a")));
    assertThat(withoutTurns.takeSent()).noneMatch(PassToken.class::isInstance);
  }

  /** Returns a link to an agent of the site east that measures throughput, or not. */
  private static RecordingConnection<PeerMessage> open(
      Links links, String peer, ThroughputPolicy throughput) {
    CoreConfig there =
        TestConfig.of(
            NodeId.of(peer),
            1,
            peer + ":1",
            Membership.discovered(List.of()),
            LinkLimits.DEFAULT,
            throughput,
            BroadcastLimits.defaults());
    RecordingConnection<PeerMessage> control = new RecordingConnection<>(peer + ":1");
    links.opened(there.hello(), 1, control, null, 0);
    Link link = links.open(NodeId.of(peer));
    if (link != null) {
      link.weight = LinkWeight.between(SELF, NodeId.of(peer), 500);
    }
    return control;
  }

  @Test
  void a_link_that_is_not_measured_is_within_no_site() {
    assertThat(isWithinSite("east", "east", null)).isFalse();
  }
}
