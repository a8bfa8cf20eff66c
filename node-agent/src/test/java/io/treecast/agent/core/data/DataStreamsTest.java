package io.treecast.agent.core.data;

import static io.treecast.agent.core.AgentHost.runUntilReady;
import static org.assertj.core.api.Assertions.assertThat;

import io.treecast.agent.core.AgentCore;
import io.treecast.agent.core.AgentHost;
import io.treecast.agent.core.RecordingConnection;
import io.treecast.agent.core.TreeNeighbour;
import io.treecast.agent.core.VirtualNetwork;
import io.treecast.agent.core.VirtualNetwork.Stream;
import io.treecast.agent.core.contract.Notice.Kind;
import io.treecast.agent.core.message.DataMessage;
import io.treecast.agent.core.message.DataMessage.AttachData;
import io.treecast.agent.core.message.DataMessage.Collective;
import io.treecast.agent.core.message.DataMessage.Edge;
import io.treecast.agent.core.message.Membership;
import io.treecast.agent.core.message.PeerMessage;
import io.treecast.agent.core.message.PeerMessage.Hello;
import io.treecast.agent.core.message.PeerMessage.OpenLink;
import io.treecast.agent.core.message.PeerMessage.Probe;
import io.treecast.agent.core.message.PeerMessage.ProbeReply;
import io.treecast.agent.core.message.PeerMessage.RefuseLink;
import io.treecast.agent.core.message.PeerMessage.SuspendLink;
import io.treecast.agent.core.message.PeerMessage.Tree;
import io.treecast.agent.core.message.PeerMessage.WeightUpdate;
import io.treecast.agent.core.settings.LinkLimits;
import io.treecast.collectives.broadcast.contract.SubscribeOptions;
import io.treecast.collectives.broadcast.contract.SubscriptionStart;
import io.treecast.collectives.broadcast.message.Channel;
import io.treecast.collectives.broadcast.message.Chunk;
import io.treecast.collectives.broadcast.message.EdgeMessage.Attach;
import io.treecast.collectives.broadcast.message.EdgeMessage.Credit;
import io.treecast.collectives.broadcast.message.EdgeMessage.Data;
import io.treecast.collectives.broadcast.message.EdgeMessage.Detach;
import io.treecast.collectives.broadcast.message.MessageId;
import io.treecast.collectives.broadcast.tree.TreeEpoch;
import io.treecast.collectives.operation.contract.CombiningMessage.Contribution;
import io.treecast.collectives.operation.contract.Operation;
import io.treecast.collectives.operation.contract.Value;
import io.treecast.ghs.NodeId;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The data streams of links: who opens them, what they must say first, and whose end they share.
 */
class DataStreamsTest {
  private static final Hello LOWER = new Hello(NodeId.of("a"), 77, "a:1");
  private static final AttachData ATTACH = new AttachData(LOWER.node(), 77, 1, 1);

  private final VirtualNetwork network = new VirtualNetwork(1, VirtualNetwork.MILLI);

  /** h0 under test; the other member, a, is the test. */
  private final AgentHost agent = AgentHost.start(network, 0, Membership.discovered(List.of()));

  private final RecordingConnection<PeerMessage> control = new RecordingConnection<>("a:9");

  /** The link is open, measured and committed as the tree's only edge; a dialed it. */
  private void commitWithA() {
    AgentCore core = agent.core();
    core.controlAccepted(control, 0);
    core.controlReceived(control, LOWER, 0);
    core.controlReceived(control, new OpenLink(1), 0);
    core.controlReceived(control, new WeightUpdate(1, 500), 0);
    new TreeNeighbour(agent, control, LOWER).commit(500);
    assertThat(core.treeStatus().ready()).as(() -> agent.core().treeStatus().reason()).isTrue();
  }

  private RecordingConnection<DataMessage> accept() {
    RecordingConnection<DataMessage> data = new RecordingConnection<>("a:10");
    agent.core().dataAccepted(data, network.nowNanos());
    return data;
  }

  private static Chunk chunk() {
    return new Chunk(new MessageId(LOWER.node(), 77, 1), 0, true, 1, ByteBuffer.allocate(3));
  }

  @Test
  void a_stream_that_names_the_session_is_answered_in_kind_and_carries_data() throws Exception {
    SubscriptionStart afterNothing = new SubscriptionStart.After(List.of());
    agent.core().unsubscribe(AgentHost.SUBSCRIBER, 0);
    agent
        .core()
        .subscribe(AgentHost.SUBSCRIBER, SubscribeOptions.defaults().withStart(afterNothing));
    commitWithA();
    RecordingConnection<DataMessage> data = accept();
    assertThat(data.takeSent()).isEmpty();
    agent.core().dataReceived(data, ATTACH, 0);
    List<DataMessage> sent = data.takeSent();
    assertThat(sent.get(0))
        .isInstanceOfSatisfying(
            AttachData.class,
            attach -> {
              assertThat(attach.node()).isEqualTo(NodeId.of("h0"));
              assertThat(attach.session()).isEqualTo(1);
            });
    assertThat(sent.get(1))
        .isInstanceOfSatisfying(
            Edge.class, edge -> assertThat(edge.message()).isInstanceOf(Credit.class));
    assertThat(agent.core().snapshot().carriesBroadcasts()).isTrue();
    agent.core().dataReceived(data, new Edge(new Credit(Channel.MESSAGES, 1_000_000, 0)), 0);
    agent.core().dataReceived(data, new Edge(new Attach(Channel.MESSAGES)), 0);
    agent.core().dataReceived(data, new Edge(new Data(chunk())), 0);
    assertThat(agent.delivered()).hasSize(1);
  }

  static List<DataMessage> noAttachmentToTheLink() {
    return List.of(
        new AttachData(NodeId.of("b"), 77, 1, 1),
        new AttachData(LOWER.node(), 78, 1, 1),
        new AttachData(LOWER.node(), 77, 2, 1),
        new AttachData(NodeId.of("h0"), 77, 1, 1),
        new Edge(new Credit(Channel.MESSAGES, 1, 0)),
        new Edge(new Data(chunk())),
        new Collective(contribution(Value.NOTHING)));
  }

  @ParameterizedTest
  @MethodSource("noAttachmentToTheLink")
  void a_stream_that_names_no_link_of_this_agent_is_closed_and_harms_none(DataMessage first) {
    commitWithA();
    RecordingConnection<DataMessage> data = accept();
    agent.core().dataReceived(data, first, 0);
    assertThat(data.isClosed()).isTrue();
    assertThat(data.takeSent()).isEmpty();
    assertThat(control.isClosed()).isFalse();
    assertThat(agent.core().treeStatus().ready()).isTrue();
  }

  private static Operation gatherTo(NodeId hub) {
    return new Operation("op", Operation.Kind.GATHER, null, hub, new TreeSet<>());
  }

  private static Contribution contribution(Value value) {
    return contribution(new TreeEpoch(1, NodeId.of("h0"), 0), value);
  }

  private static Contribution contribution(TreeEpoch epoch, Value value) {
    return new Contribution(
        gatherTo(NodeId.of("h0")),
        epoch,
        true,
        new TreeSet<>(List.of(LOWER.node())),
        new TreeSet<>(),
        value,
        null,
        false,
        false,
        0,
        1);
  }

  @Test
  void contributions_before_the_stream_is_open_follow_on_it() {
    commitWithA();
    Value part = Value.Parts.of(NodeId.of("h0"), ByteBuffer.allocate(1));
    agent
        .core()
        .takePart(
            1,
            Participation.of(NodeId.of("h0"), "t", gatherTo(LOWER.node()), part, 1_000_000_000),
            0);
    RecordingConnection<DataMessage> data = accept();
    agent.core().dataReceived(data, ATTACH, 0);
    assertThat(data.takeSent())
        .filteredOn(Collective.class::isInstance)
        .singleElement()
        .isInstanceOfSatisfying(
            Collective.class,
            sent ->
                assertThat(sent.message())
                    .isInstanceOfSatisfying(
                        Contribution.class,
                        contribution -> assertThat(contribution.value()).isEqualTo(part)));
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void a_neighbours_contribution_counts_as_long_as_its_stream_is_open(boolean open) {
    commitWithA();
    RecordingConnection<DataMessage> data = accept();
    agent.core().dataReceived(data, ATTACH, 0);
    TreeEpoch epoch = TreeEpoch.of(agent.tree());
    Value itsPart = Value.Parts.of(LOWER.node(), ByteBuffer.allocate(1));
    agent.core().dataReceived(data, new Collective(contribution(epoch, itsPart)), 0);
    if (!open) {
      agent.core().dataClosed(data, "gone", 0);
    }
    NodeId self = NodeId.of("h0");
    Value part = Value.Parts.of(self, ByteBuffer.allocate(1));
    agent.core().takePart(1, Participation.of(self, "t", gatherTo(self), part, 1_000_000_000), 0);
    assertThat(agent.core().snapshot().collectives().completed()).isEqualTo(open ? 1 : 0);
  }

  @Test
  void a_breach_of_the_rules_of_operations_ends_the_link_and_counts_as_a_violation() {
    commitWithA();
    RecordingConnection<DataMessage> data = accept();
    agent.core().dataReceived(data, ATTACH, 0);
    Value itsPart = Value.Parts.of(LOWER.node(), ByteBuffer.allocate(1));
    agent.core().dataReceived(data, new Collective(contribution(itsPart)), 0);
    assertThat(control.isClosed()).isFalse();
    agent.core().dataReceived(data, new Collective(contribution(Value.longs(1))), 0);
    assertThat(control.isClosed()).isTrue();
    assertThat(agent.notices(Kind.PROTOCOL_VIOLATION)).hasSize(1);
  }

  @Test
  void a_second_stream_for_the_same_session_is_closed() {
    commitWithA();
    RecordingConnection<DataMessage> first = accept();
    agent.core().dataReceived(first, ATTACH, 0);
    RecordingConnection<DataMessage> second = accept();
    agent.core().dataReceived(second, ATTACH, 0);
    assertThat(second.isClosed()).isTrue();
    assertThat(first.isClosed()).isFalse();
  }

  @Test
  void a_second_attachment_on_the_same_stream_ends_the_link_and_counts_as_a_violation() {
    commitWithA();
    RecordingConnection<DataMessage> data = accept();
    agent.core().dataReceived(data, ATTACH, 0);
    agent.core().dataReceived(data, ATTACH, 0);
    assertThat(data.isClosed()).isTrue();
    assertThat(control.isClosed()).isTrue();
    assertThat(agent.notices(Kind.PROTOCOL_VIOLATION))
        .singleElement()
        .asString()
        .contains(" a: AttachData ");
  }

  @Test
  void the_end_of_a_stream_that_the_dialing_end_does_not_send_on_is_not_a_fault() {
    commitWithA();
    RecordingConnection<DataMessage> data = accept();
    agent.core().dataReceived(data, ATTACH, 0);
    agent.core().dataReceived(data, new Edge(new Attach(Channel.MESSAGES)), 0);
    agent.core().dataReceived(data, new Edge(new Detach(Channel.MESSAGES)), 0);
    agent.core().dataClosed(data, "closed by the other end", 0);
    assertThat(control.isClosed()).isFalse();

    RecordingConnection<DataMessage> next = accept();
    agent.core().dataReceived(next, attach(2), 0);
    assertThat(next.isClosed()).isFalse();
    assertThat(agent.core().snapshot().carriesBroadcasts()).isTrue();
  }

  @Test
  void a_later_stream_takes_the_place_of_one_whose_close_is_under_way() {
    commitWithA();
    RecordingConnection<DataMessage> first = accept();
    agent.core().dataReceived(first, ATTACH, 0);
    RecordingConnection<DataMessage> later = accept();
    agent.core().dataReceived(later, attach(3), 0);
    assertThat(first.isClosed()).isTrue();
    assertThat(later.isClosed()).isFalse();
    RecordingConnection<DataMessage> delayed = accept();
    agent.core().dataReceived(delayed, attach(2), 0);
    assertThat(delayed.isClosed()).isTrue();
    assertThat(control.isClosed()).isFalse();
  }

  private static AttachData attach(long stream) {
    return new AttachData(LOWER.node(), 77, 1, stream);
  }

  @Test
  void a_data_stream_that_ends_and_is_not_dialed_again_ends_the_link_with_that_reason() {
    commitWithA();
    RecordingConnection<DataMessage> data = accept();
    agent.core().dataReceived(data, ATTACH, 0);
    agent.core().dataReceived(data, new Edge(new Attach(Channel.MESSAGES)), 0);
    control.takeSent();
    long endedNanos = network.nowNanos();
    agent.core().dataClosed(data, "connection reset", endedNanos);
    agent.core().controlReceived(control, new Probe(1, 500, 0, false, null), endedNanos + 1);
    assertThat(control.isClosed()).as("that may have been sent before").isFalse();
    control.takeSent();
    long redialedByNanos = endedNanos + LinkLimits.DEFAULT.handshakeTimeoutNanos();
    for (long nanos = endedNanos; nanos <= redialedByNanos; nanos += 500_000_000L) {
      agent.core().controlReceived(control, new Probe(2, 500, 0, false, null), nanos);
      assertThat(control.isClosed()).as("the other end may dial it again").isFalse();
    }
    control.takeSent();
    agent
        .core()
        .controlReceived(
            control, new Probe(3, 500, 0, false, null), redialedByNanos + 1_000_000_000L);
    assertThat(control.isClosed()).isTrue();
    assertThat(control.takeSent())
        .singleElement()
        .isInstanceOfSatisfying(
            RefuseLink.class,
            refusal -> {
              assertThat(refusal.cause()).isEqualTo(PeerMessage.RefusalCause.NO_DATA);
              assertThat(refusal.reason()).endsWith(": connection reset");
            });
    assertThat(agent.notices(Kind.LINK_WITHOUT_DATA)).hasSize(1);
    assertThat(agent.core().snapshot().linksWithoutData()).isEqualTo(1);
  }

  @Test
  void where_both_streams_end_the_link_is_lost_and_not_left_alone() {
    commitWithA();
    RecordingConnection<DataMessage> data = accept();
    agent.core().dataReceived(data, ATTACH, 0);
    agent.core().dataReceived(data, new Edge(new Attach(Channel.MESSAGES)), 0);
    agent.core().dataClosed(data, "connection reset", 0);
    agent.core().controlClosed(control, "connection reset", 0);
    assertThat(agent.notices(Kind.LINK_LOST))
        .singleElement()
        .asString()
        .endsWith(" a: connection reset");
    assertThat(agent.core().snapshot().linksWithoutData()).isZero();
  }

  @Test
  void more_data_than_was_sent_cannot_have_arrived() {
    commitWithA();
    RecordingConnection<DataMessage> data = accept();
    agent.core().dataReceived(data, ATTACH, 0);
    long sent = data.takeSent().size() - 1L; // The answer to ATTACH does not count.
    agent.core().controlReceived(control, probeHearing(sent), 0);
    assertThat(control.isClosed()).isFalse();
    agent.core().controlReceived(control, probeHearing(sent + 1), 0);
    assertThat(control.isClosed()).isTrue();
    assertThat(agent.notices(Kind.PROTOCOL_VIOLATION)).hasSize(1);
  }

  private static Probe probeHearing(long messages) {
    return new Probe(1, 500, 0, false, null, new PeerMessage.DataAck(1, messages), false, 0);
  }

  @Test
  void the_end_of_the_link_is_the_end_of_its_data_stream() {
    commitWithA();
    RecordingConnection<DataMessage> data = accept();
    agent.core().dataReceived(data, ATTACH, 0);
    agent.core().controlClosed(control, "connection reset", 0);
    assertThat(data.isClosed()).isTrue();
    // What was under way on it is of no interest any more.
    agent.core().dataReceived(data, new Edge(new Data(chunk())), 0);
    agent.core().dataClosed(data, "connection reset", 0);
    assertThat(agent.delivered()).isEmpty();
  }

  @Test
  void a_chunk_that_breaks_the_rules_ends_the_link_and_counts_as_a_violation() {
    commitWithA();
    RecordingConnection<DataMessage> data = accept();
    agent.core().dataReceived(data, ATTACH, 0);
    Chunk third = new Chunk(new MessageId(LOWER.node(), 77, 3), 1, true, 1, ByteBuffer.allocate(3));
    agent.core().dataReceived(data, new Edge(new Data(third)), 0);
    assertThat(control.isClosed()).isTrue();
    assertThat(agent.notices(Kind.PROTOCOL_VIOLATION)).singleElement().asString().contains(" a: ");
  }

  @Test
  void streams_that_never_say_whose_they_are_are_bounded_in_number_and_time() {
    commitWithA();
    for (int i = 0; i < DataStreams.MAX_UNATTACHED; i++) {
      assertThat(accept().isClosed()).isFalse();
    }
    assertThat(accept().isClosed()).isTrue();
    network.run(LinkLimits.DEFAULT.handshakeTimeoutNanos() / VirtualNetwork.MILLI);
    RecordingConnection<DataMessage> data = accept();
    assertThat(data.isClosed()).isFalse();
    agent.core().dataReceived(data, ATTACH, network.nowNanos());
    assertThat(agent.core().snapshot().carriesBroadcasts()).isTrue();
  }

  @Test
  void a_stream_that_is_gone_before_it_was_attached_is_forgotten() {
    for (int i = 0; i < 3 * DataStreams.MAX_UNATTACHED; i++) {
      RecordingConnection<DataMessage> data = accept();
      assertThat(data.isClosed()).isFalse();
      agent.core().dataClosed(data, "gone", 0);
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1})
  void a_broken_data_stream_is_dialed_again_and_a_second_break_ends_the_link(int end) {
    List<AgentHost> pair =
        List.of(
            AgentHost.start(network, 1, Membership.discovered(List.of())),
            AgentHost.start(network, 2, Membership.discovered(List.of("host1:7700"))));
    runUntilReady(network, pair, 1);
    openData().get(end).breakBoth("connection reset");
    network.run(2_000);
    assertThat(pair).allMatch(host -> host.core().snapshot().carriesBroadcasts());
    assertThat(pair).allMatch(host -> host.notices(Kind.LINK_WITHOUT_DATA).isEmpty());

    openData().get(end).breakBoth("connection reset");
    network.run(2_000);
    assertThat(pair).allMatch(host -> host.notices(Kind.LINK_WITHOUT_DATA).size() == 1);
    assertThat(pair).allMatch(host -> host.notices(Kind.LINK_LOST).isEmpty());
  }

  private List<Stream<?>> openData() {
    List<Stream<?>> data =
        network.openStreams().stream().filter(stream -> !stream.isControl()).toList();
    assertThat(data).as("both ends of the edge's data stream").hasSize(2);
    return data;
  }

  @Test
  void a_dialed_stream_that_is_not_answered_in_time_ends_the_link() {
    AgentHost other = AgentHost.start(network, 1, Membership.discovered(List.of()));
    AgentHost dialer = AgentHost.start(network, 2, Membership.discovered(List.of("host1:7700")));
    // Stop when the tree is there and its data stream is not: then the answer gets lost.
    network.runUntil(
        () -> network.openStreams().stream().anyMatch(stream -> !stream.isControl()), 60_000);
    network.swallowData();
    network.run(LinkLimits.DEFAULT.handshakeTimeoutNanos() / VirtualNetwork.MILLI + 2_000);
    assertThat(dialer.notices(Kind.LINK_WITHOUT_DATA))
        .singleElement()
        .asString()
        .contains(" h1 ", "5 s");
    assertThat(other.notices(Kind.LINK_WITHOUT_DATA))
        .singleElement()
        .asString()
        .contains(" h2 ", "5 s");
  }

  static List<PeerMessage> outOfTurn() {
    return List.of(
        LOWER, new OpenLink(3), new ProbeReply(1, 0), new WeightUpdate(1, 5), new SuspendLink());
  }

  @ParameterizedTest
  @MethodSource("outOfTurn")
  void a_control_message_out_of_turn_ends_the_link_and_counts_as_a_violation(PeerMessage message) {
    commitWithA();
    control.takeSent();
    agent.core().controlReceived(control, message, 0);
    assertThat(control.isClosed()).isTrue();
    assertThat(control.takeSent()).singleElement().isInstanceOf(RefuseLink.class);
    assertThat(agent.notices(Kind.PROTOCOL_VIOLATION)).singleElement().asString().contains(" a: ");
  }

  @Test
  void a_message_of_the_tree_before_the_weight_is_a_violation() {
    agent.core().controlAccepted(control, 0);
    agent.core().controlReceived(control, LOWER, 0);
    agent.core().controlReceived(control, new OpenLink(1), 0);
    agent.core().controlReceived(control, new Tree(TreeNeighbour.wake(LOWER)), 0);
    assertThat(control.isClosed()).isTrue();
    assertThat(agent.notices(Kind.PROTOCOL_VIOLATION)).hasSize(1);
  }

  @Test
  void a_probe_is_answered_at_once() {
    commitWithA();
    control.takeSent();
    agent.core().controlReceived(control, new Probe(9, 500, 0, false, null), 0);
    assertThat(control.takeSent()).containsExactly(new ProbeReply(9, 0));
  }

  @Test
  void the_reply_to_a_probe_that_had_to_wait_says_how_long_and_so_does_the_next() {
    commitWithA();
    control.takeSent();
    agent.core().controlReceived(control, new Probe(9, 500, 0, false, null), 3, 10);
    agent.core().controlReceived(control, new Probe(10, 500, 0, false, null), 11, 11);
    assertThat(control.takeSent())
        .containsExactly(new ProbeReply(9, 10, 7, 7, null), new ProbeReply(10, 11, 0, 7, null));
  }

  @Test
  void the_reply_counts_the_delay_of_a_probe_before_it_left() {
    commitWithA();
    control.takeSent();
    agent.core().controlReceived(control, new Probe(9, 500, 0, false, null).leaving(5), 3, 10);
    assertThat(control.takeSent()).containsExactly(new ProbeReply(9, 10, 12, 7, null));
  }

  @Test
  void a_late_transport_shows_in_the_next_reply() {
    commitWithA();
    control.takeSent();
    agent.core().late(8, 10);
    agent.core().controlReceived(control, new Probe(9, 500, 0, false, null), 11);
    assertThat(control.takeSent()).containsExactly(new ProbeReply(9, 11, 0, 8, null));
  }
}
