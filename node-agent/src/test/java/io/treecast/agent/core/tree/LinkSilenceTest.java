package io.treecast.agent.core.tree;

import static org.assertj.core.api.Assertions.assertThat;

import io.treecast.agent.core.AgentHost;
import io.treecast.agent.core.RecordingConnection;
import io.treecast.agent.core.TreeNeighbour;
import io.treecast.agent.core.VirtualNetwork;
import io.treecast.agent.core.contract.LinkState;
import io.treecast.agent.core.contract.Notice.Kind;
import io.treecast.agent.core.message.Membership;
import io.treecast.agent.core.message.PeerMessage;
import io.treecast.agent.core.message.PeerMessage.Hello;
import io.treecast.agent.core.message.PeerMessage.OpenLink;
import io.treecast.agent.core.message.PeerMessage.Probe;
import io.treecast.agent.core.message.PeerMessage.ProbeReply;
import io.treecast.agent.core.message.PeerMessage.SuspendLink;
import io.treecast.agent.core.message.PeerMessage.Tree;
import io.treecast.agent.core.message.PeerMessage.WeightUpdate;
import io.treecast.ghs.NodeId;
import java.util.List;
import org.junit.jupiter.api.Test;

/**
 * The end of a session and the beginning of the next on the same connection, message by message.
 * The agent under test is h1, between a, which owns their link, and z, whose link it owns.
 */
class LinkSilenceTest {
  /** A link that has been heard on is silent after this. */
  private static final long SILENT_MILLIS = 2_600;

  private final VirtualNetwork network = new VirtualNetwork(1, VirtualNetwork.MILLI);
  private final AgentHost agent = AgentHost.start(network, 1, Membership.discovered(List.of()));
  private final RecordingConnection<PeerMessage> a = new RecordingConnection<>("a:9");
  private final RecordingConnection<PeerMessage> z = new RecordingConnection<>("z:9");
  private static final Hello A = new Hello(NodeId.of("a"), 77, "a:1");
  private static final Hello Z = new Hello(NodeId.of("z"), 78, "z:1");

  private void say(RecordingConnection<PeerMessage> connection, PeerMessage... messages) {
    for (PeerMessage message : messages) {
      agent.core().controlReceived(connection, message, network.nowNanos());
    }
  }

  private void linkWithA() {
    agent.core().controlAccepted(a, network.nowNanos());
    say(a, A, new OpenLink(1), new WeightUpdate(1, 500));
    a.takeSent();
  }

  private void linkWithZ(RecordingConnection<PeerMessage> connection) {
    agent.core().controlAccepted(connection, network.nowNanos());
    say(connection, Z);
  }

  /** Returns the messages about sessions sent since the last call. */
  private static List<PeerMessage> aboutSessions(RecordingConnection<PeerMessage> connection) {
    return connection.takeSent().stream()
        .filter(message -> message instanceof OpenLink || message instanceof SuspendLink)
        .toList();
  }

  private LinkState stateWith(Hello peer) {
    return agent.link(peer.node()).state();
  }

  private void silence() {
    network.run(SILENT_MILLIS);
  }

  @Test
  void the_owner_offers_the_next_session_once_and_begins_it_when_it_is_echoed() {
    linkWithZ(z);
    say(z, new ProbeReply(1, 0));
    z.takeSent();
    silence();
    assertThat(stateWith(Z)).isEqualTo(LinkState.SUSPENDED);
    assertThat(aboutSessions(z)).containsExactly(new OpenLink(2));
    network.run(5_000);
    assertThat(aboutSessions(z)).isEmpty();
    say(z, new OpenLink(2));
    assertThat(stateWith(Z)).isEqualTo(LinkState.MEASURING);
    assertThat(agent.link(Z.node()).session()).isEqualTo(2);
  }

  @Test
  void the_other_end_says_once_that_it_hears_nothing_and_echoes_the_session_that_follows() {
    linkWithA();
    say(a, new Probe(1, 500, 0, false, null));
    a.takeSent();
    silence();
    assertThat(stateWith(A)).isEqualTo(LinkState.SUSPENDED);
    assertThat(aboutSessions(a)).containsExactly(new SuspendLink());
    network.run(5_000);
    assertThat(aboutSessions(a)).isEmpty();
    say(a, new OpenLink(2));
    assertThat(aboutSessions(a)).containsExactly(new OpenLink(2));
    assertThat(stateWith(A)).isEqualTo(LinkState.MEASURING);
    say(a, new WeightUpdate(2, 600));
    assertThat(stateWith(A)).isEqualTo(LinkState.UP);
  }

  @Test
  void an_owner_that_hears_of_the_suspension_offers_the_next_session_at_once() {
    linkWithZ(z);
    z.takeSent();
    say(z, new SuspendLink());
    assertThat(stateWith(Z)).isEqualTo(LinkState.SUSPENDED);
    assertThat(aboutSessions(z)).containsExactly(new OpenLink(2));
  }

  @Test
  void when_both_ends_find_each_other_silent_there_is_one_new_session() {
    linkWithZ(z);
    say(z, new ProbeReply(1, 0));
    z.takeSent();
    silence();
    say(z, new SuspendLink(), new OpenLink(2));
    assertThat(aboutSessions(z)).containsExactly(new OpenLink(2));
    assertThat(stateWith(Z)).isEqualTo(LinkState.MEASURING);
    assertThat(agent.link(Z.node()).session()).isEqualTo(2);
  }

  @Test
  void an_offer_to_an_end_that_noticed_nothing_ends_the_session_there() {
    linkWithA();
    assertThat(stateWith(A)).isEqualTo(LinkState.UP);
    say(a, new OpenLink(2));
    assertThat(aboutSessions(a)).containsExactly(new OpenLink(2));
    assertThat(stateWith(A)).as("to be measured again").isEqualTo(LinkState.MEASURING);
    assertThat(agent.notices(Kind.LINK_SUSPENDED)).singleElement().asString().contains(" a: a ");
  }

  @Test
  void messages_of_the_old_session_are_dropped_and_probes_are_still_answered() {
    linkWithA();
    say(a, new Probe(1, 500, 0, false, null));
    silence();
    a.takeSent();
    say(
        a,
        new Tree(TreeNeighbour.wake(A)),
        new WeightUpdate(2, 900),
        new Probe(2, 500, 0, false, null));
    assertThat(a.takeSent()).containsExactly(new ProbeReply(2, 2_600_000_000L));
    assertThat(stateWith(A)).isEqualTo(LinkState.SUSPENDED);
    assertThat(a.isClosed()).isFalse();
  }

  @Test
  void a_session_that_is_not_the_next_one_is_a_violation() {
    linkWithA();
    say(a, new OpenLink(3));
    assertThat(a.isClosed()).isTrue();
  }

  @Test
  void an_echo_of_a_session_that_was_not_offered_is_a_violation() {
    linkWithZ(z);
    say(z, new OpenLink(2));
    assertThat(z.isClosed()).isTrue();
  }

  @Test
  void only_the_end_that_does_not_own_the_link_asks_for_the_next_session() {
    linkWithA();
    say(a, new SuspendLink());
    assertThat(a.isClosed()).isTrue();
  }

  @Test
  void the_number_of_a_session_that_was_offered_is_not_used_for_another() {
    linkWithZ(z);
    say(z, new SuspendLink());
    assertThat(aboutSessions(z)).contains(new OpenLink(2));
    // The other end may have begun session 2 and sent its echo, which is lost with the connection.
    agent.core().controlClosed(z, "connection reset", network.nowNanos());
    RecordingConnection<PeerMessage> second = new RecordingConnection<>("z:10");
    linkWithZ(second);
    assertThat(aboutSessions(second)).containsExactly(new OpenLink(3));
  }

  @Test
  void a_late_reply_to_a_probe_of_the_old_session_is_not_a_measurement_of_the_new_one() {
    linkWithZ(z);
    network.run(150);
    List<PeerMessage> probes = z.takeSent().stream().filter(Probe.class::isInstance).toList();
    assertThat(probes).isNotEmpty();
    say(z, new SuspendLink(), new OpenLink(2));
    network.run(150);
    probes.forEach(probe -> say(z, new ProbeReply(((Probe) probe).number(), 0)));
    assertThat(agent.link(Z.node()).rttLastMicros()).isZero();
    Probe latest = (Probe) z.takeSent().stream().filter(Probe.class::isInstance).findFirst().get();
    say(z, new ProbeReply(latest.number(), 0));
    assertThat(agent.link(Z.node()).rttLastMicros()).isPositive();
  }
}
