package io.treecast.agent.core;

import static org.assertj.core.api.Assertions.assertThat;

import io.treecast.agent.core.bulk.BulkProbes;
import io.treecast.agent.core.contract.AgentEffects;
import io.treecast.agent.core.contract.Connection;
import io.treecast.agent.core.contract.Transport;
import io.treecast.agent.core.data.Collectives;
import io.treecast.agent.core.data.DataStreams;
import io.treecast.agent.core.data.RelayEffects;
import io.treecast.agent.core.link.Link;
import io.treecast.agent.core.link.LinksDiscoveryTest;
import io.treecast.agent.core.message.CountHorizon;
import io.treecast.agent.core.message.DataMessage;
import io.treecast.agent.core.message.DataMessage.AttachData;
import io.treecast.agent.core.message.DataMessage.Collective;
import io.treecast.agent.core.message.DataMessage.Edge;
import io.treecast.agent.core.message.Membership;
import io.treecast.agent.core.message.PeerMessage;
import io.treecast.agent.core.settings.CoreConfig;
import io.treecast.agent.core.settings.LinkLimits;
import io.treecast.collectives.broadcast.BroadcastRelay;
import io.treecast.collectives.broadcast.contract.BroadcastLimits;
import io.treecast.collectives.broadcast.message.Channel;
import io.treecast.collectives.broadcast.message.Chunk;
import io.treecast.collectives.broadcast.message.EdgeMessage.Credit;
import io.treecast.collectives.broadcast.message.EdgeMessage.Data;
import io.treecast.collectives.broadcast.message.MessageId;
import io.treecast.collectives.operation.contract.CombiningMessage.Answer;
import io.treecast.collectives.operation.contract.Outcome;
import io.treecast.collectives.operation.contract.Value;
import io.treecast.ghs.NodeId;
import io.treecast.monitor.throughput.Throughput;
import java.lang.reflect.Proxy;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Objects;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/** The traffic of a data stream measures its link, and the credit of a neighbour the throughput. */
class TransferredCreditTest {
  private static final int CHUNKS = 16;
  private static final long BYTES = (long) CHUNKS * BroadcastLimits.defaults().chunkBytes();

  /** The memory of these chunks' objects, without their content. */
  private static final long UNCARRIED_BYTES = CHUNKS * chunk(1).unsentCost();

  private final VirtualNetwork network = new VirtualNetwork(1, VirtualNetwork.MILLI);
  private final RecordingConnection<DataMessage> data = new RecordingConnection<>("host1:7700");
  private final LinksHost self = host(2);
  private final DataStreams streams;
  private final Link link;

  /** The data stream to h1 is attached, and a transfer over it is under way all the time. */
  TransferredCreditTest() {
    host(1);
    network.run(10_000);
    link = Objects.requireNonNull(self.linkTo("h1"));
    long nanos = network.nowNanos();
    CoreConfig config =
        TestConfig.of(
            new PeerMessage.Hello(NodeId.of("h2"), 1, self.address()),
            Membership.discovered(List.of()),
            LinkLimits.DEFAULT);
    streams = streams(config);
    streams.follow(new TreeSet<>(List.of(link.peer)), null, nanos);
    streams.received(
        data, new AttachData(link.peer, link.incarnation, link.firstSession, 1), nanos);
    for (int i = 0; i < CHUNKS; i++) {
      streams.send(link.peer, new Data(chunk(i + 1)), nanos);
    }
  }

  private static Chunk chunk(int sequence) {
    ByteBuffer payload = ByteBuffer.allocate(BroadcastLimits.defaults().chunkBytes());
    return new Chunk(new MessageId(NodeId.of("h2"), 1, sequence), 0, true, 1, payload);
  }

  private LinksHost host(int node) {
    return LinksHost.start(
        network,
        "h" + node,
        LinksDiscoveryTest.address(node),
        Membership.discovered(List.of(LinksDiscoveryTest.address(1))));
  }

  private DataStreams streams(CoreConfig config) {
    Transport transport =
        new Transport() {
          @Override
          public Connection<PeerMessage> dialControl(String address) {
            throw new AssertionError("data streams dial no control stream");
          }

          @Override
          public Connection<DataMessage> dialData(String address) {
            return data;
          }
        };
    BroadcastRelay relay =
        new BroadcastRelay(
            config.self(),
            config.incarnation(),
            Long.MAX_VALUE,
            config.broadcast(),
            new RelayEffects(
                notice -> {},
                (peer, message) -> {},
                message -> {},
                (message, replicas) -> {},
                this::violated),
            ignored(AgentEffects.class));
    return new DataStreams(
        new AttachData(config.self(), config.incarnation(), 0, 0),
        config.links().handshakeTimeoutNanos(),
        Long.MAX_VALUE,
        self.links(),
        transport,
        new CountHorizon(0),
        relay,
        List.of(
            new Collectives(
                config,
                ignored(AgentEffects.class),
                (peer, message) -> {},
                this::violated,
                view -> false)),
        new BulkProbes(
            config, self.links(), transport, peer -> false, (peer, resource, value) -> {}),
        (uploading, nanos) -> {},
        (proven, nanos) -> {});
  }

  private void violated(NodeId neighbour, String reason) {
    throw new AssertionError(neighbour + " " + reason);
  }

  private static <T> T ignored(Class<T> events) {
    return events.cast(
        Proxy.newProxyInstance(
            events.getClassLoader(), new Class<?>[] {events}, (proxy, method, args) -> null));
  }

  private void granted(long bytes, long windowBytes) {
    Edge credit = new Edge(new Credit(Channel.MESSAGES, bytes, windowBytes));
    streams.received(data, credit, network.nowNanos() + 1_000 * VirtualNetwork.MILLI);
  }

  @Test
  void a_window_that_is_granted_was_not_carried() {
    assertThat(link.dialedAddress).as("h2 dials").isNotNull();
    granted(BYTES, BYTES);
    assertThat(link.transfer.takeKbps()).isZero();
  }

  @Test
  void chunks_that_were_passed_on_were_carried() {
    granted(2 * BYTES, BYTES);
    assertThat(link.transfer.takeKbps())
        .isEqualTo(Throughput.kbps(BYTES - UNCARRIED_BYTES, 1_000_000_000));
  }

  private static Answer largeAnswer() {
    Value large = Value.longs(new long[40_000]);
    return new Answer("op", 1, new Outcome.Completed(1, new TreeSet<>(), large), new TreeSet<>());
  }

  @Test
  void probes_may_be_late_for_what_was_sent_for_an_operation() {
    long later = network.nowNanos() + 20_000 * VirtualNetwork.MILLI;
    assertThat(link.mostOwnDelayMicros(later)).isZero();
    streams.send(link.peer, new Collective(largeAnswer()), later);
    assertThat(link.mostOwnDelayMicros(later)).isPositive();
  }

  @Test
  void probes_may_be_late_for_what_came_of_an_operation() {
    long later = network.nowNanos() + 20_000 * VirtualNetwork.MILLI;
    assertThat(link.mostOwnDelayMicros(later)).isZero();
    streams.received(data, new Collective(largeAnswer()), later);
    assertThat(link.mostOwnDelayMicros(later)).isPositive();
  }
}
