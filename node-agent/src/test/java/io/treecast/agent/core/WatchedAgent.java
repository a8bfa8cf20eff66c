package io.treecast.agent.core;

import io.treecast.agent.core.contract.AgentEffects;
import io.treecast.agent.core.contract.Connection;
import io.treecast.agent.core.contract.LinkState;
import io.treecast.agent.core.contract.Notice;
import io.treecast.agent.core.contract.TreeChange;
import io.treecast.agent.core.contract.TreePhase;
import io.treecast.agent.core.data.Participation;
import io.treecast.agent.core.message.DataMessage;
import io.treecast.agent.core.message.Membership;
import io.treecast.agent.core.message.PeerMessage;
import io.treecast.agent.core.publish.Publication;
import io.treecast.agent.core.settings.CoreConfig;
import io.treecast.agent.core.settings.LinkLimits;
import io.treecast.agent.core.settings.OverlayLimits;
import io.treecast.collectives.broadcast.contract.BroadcastLimits;
import io.treecast.collectives.broadcast.contract.BroadcastRefusedException;
import io.treecast.collectives.broadcast.contract.SubscribeOptions;
import io.treecast.collectives.broadcast.message.Chunk;
import io.treecast.collectives.broadcast.message.Confirmation;
import io.treecast.collectives.broadcast.message.Gap;
import io.treecast.collectives.broadcast.message.MessageId;
import io.treecast.collectives.broadcast.message.MissedReason;
import io.treecast.collectives.broadcast.message.OrderPosition;
import io.treecast.collectives.operation.contract.CombiningLimits;
import io.treecast.collectives.operation.contract.Operation;
import io.treecast.collectives.operation.contract.Outcome;
import io.treecast.collectives.operation.contract.Value;
import io.treecast.ghs.NodeId;
import io.treecast.monitor.probe.ProbePolicy;
import io.treecast.monitor.probe.SilencePolicy;
import io.treecast.monitor.series.SeriesResource;
import io.treecast.monitor.throughput.ThroughputPolicy;
import io.treecast.monitor.weight.SignificancePolicy;
import io.treecast.mst.CommittedTree;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A whole agent on a {@link VirtualNetwork}, with small limits and one subscriber, whose deliveries
 * are checked. One incarnation for each name, so that inputs of an earlier run mean the same again.
 */
final class WatchedAgent implements VirtualNetwork.Host, AgentEffects {
  static final long SUBSCRIBER = 1;

  /** Room for a few chunks anywhere, and for the streams of a few agents. */
  static final BroadcastLimits LIMITS =
      BroadcastLimits.builder()
          .chunkBytes(64)
          .payloadBytes(512)
          .publishBufferBytes(5_120)
          .logBytes(10_240)
          .edgeWindowBytes(2_560)
          .subscriberWindowBytes(1_280)
          .subscribers(2)
          .topics(8)
          .origins(8)
          .build();

  /** Room for a few operations and small values. */
  static final CombiningLimits COLLECTIVES = new CombiningLimits(4, 1_024, 4_096);

  private static final ProbePolicy FEW_PROBES =
      new ProbePolicy(
          3, 2, Duration.ofMillis(100), Duration.ofMillis(500), Duration.ofSeconds(40), 2);

  private static final LinkLimits LINK_LIMITS =
      LinkLimits.builder()
          .handshakeTimeoutNanos(LinkLimits.DEFAULT.handshakeTimeoutNanos())
          .redialMinNanos(LinkLimits.DEFAULT.redialMinNanos())
          .redialMaxNanos(LinkLimits.DEFAULT.redialMaxNanos())
          .higherEndGraceNanos(LinkLimits.DEFAULT.higherEndGraceNanos())
          .handshakes(16)
          .suspendedNanos(LinkLimits.DEFAULT.suspendedNanos())
          .gatherQuietNanos(LinkLimits.DEFAULT.gatherQuietNanos())
          .gatherNanos(LinkLimits.DEFAULT.gatherNanos())
          .batchNanos(LinkLimits.DEFAULT.batchNanos())
          .forgetNanos(LinkLimits.DEFAULT.forgetNanos())
          .build();

  /** How long its application waits for the outcome of an operation: an hour. */
  private static final long WAIT_NANOS = 3_600_000_000_000L;

  /** Hears what arrives from other agents, before the agent does. */
  interface Listener {
    void control(Connection<PeerMessage> connection, PeerMessage message);

    void data(Connection<DataMessage> connection, DataMessage message);
  }

  private final VirtualNetwork network;
  private final NodeId id;
  private final AgentCore core;
  private final SubscriberRules subscriber;
  private final List<Notice> notices = new ArrayList<>();
  private final List<Outcome> outcomes = new ArrayList<>();
  private @Nullable CommittedTree tree;
  private long lastCall;
  private boolean stalled;
  private boolean silenced;
  private @Nullable Listener listener;

  private WatchedAgent(VirtualNetwork network, CoreConfig config, Set<NodeId> members) {
    this.network = network;
    this.id = config.self();
    this.core = new AgentCore(config, network.transportOf(config.address()), this);
    this.subscriber = new SubscriberRules(config.broadcast(), members);
  }

  /** Starts an agent that knows those at these addresses. */
  static WatchedAgent start(
      VirtualNetwork network, String name, Set<NodeId> members, String... seeds) {
    CoreConfig config =
        new CoreConfig(
            NodeId.of(name),
            incarnation(name),
            address(name),
            null,
            "",
            Membership.discovered(List.of(seeds)),
            OverlayLimits.DEFAULT,
            LINK_LIMITS,
            FEW_PROBES,
            SilencePolicy.DEFAULT,
            SignificancePolicy.DEFAULT,
            ThroughputPolicy.DISABLED,
            LIMITS,
            COLLECTIVES,
            1);
    WatchedAgent agent = new WatchedAgent(network, config, members);
    network.put(config.address(), agent);
    agent.core.start(network.nowNanos());
    try {
      agent.core.subscribe(SUBSCRIBER, SubscribeOptions.defaults());
    } catch (BroadcastRefusedException e) {
      throw new AssertionError(e);
    }
    return agent;
  }

  static String address(String name) {
    return name + ":7700";
  }

  static long incarnation(String name) {
    return name.charAt(0);
  }

  NodeId id() {
    return id;
  }

  AgentCore core() {
    return core;
  }

  /** Returns whether it has a link to this peer that was measured; false where it has none. */
  boolean hasMeasured(NodeId peer) {
    return hasNoticed(Notice.Kind.LINK_MEASURED)
        && core.snapshot().links().stream()
            .anyMatch(link -> link.peer().id().equals(peer) && link.state() == LinkState.UP);
  }

  boolean isLinked(NodeId peer) {
    return hasNoticed(Notice.Kind.LINK_OPENED)
        && core.snapshot().links().stream()
            .anyMatch(link -> link.peer().id().equals(peer) && link.state() != LinkState.DIALING);
  }

  /** Returns whether the agent has given a notice of this kind. */
  private boolean hasNoticed(Notice.Kind kind) {
    return notices.stream().anyMatch(notice -> notice.kind() == kind);
  }

  /** Returns whether it has a tree that is not about to change, and carries broadcasts along it. */
  boolean isAtRest() {
    return core.treeStatus().phase() == TreePhase.COMMITTED && core.snapshot().carriesBroadcasts();
  }

  /** Returns the tree it committed last; null before the first. */
  @Nullable CommittedTree tree() {
    return tree;
  }

  List<Notice> notices() {
    return notices;
  }

  /** Returns whether its subscriber got these messages, among others. */
  boolean hasBroadcasts(List<String> messages) {
    return subscriber.shortMessages().containsAll(messages);
  }

  AgentHost.Outcome publish(byte[] payload) {
    AgentHost.Outcome outcome = new AgentHost.Outcome();
    long now = network.nowNanos();
    core.publish(Publication.of("", "", ByteBuffer.wrap(payload), now), outcome, now);
    return outcome;
  }

  /** Its application takes part in a barrier or gather. */
  void takePart(Operation operation) {
    Value contribution =
        operation.kind() == Operation.Kind.BARRIER
            ? Value.NOTHING
            : Value.Parts.of(id, ByteBuffer.allocate(1));
    core.takePart(
        ++lastCall,
        Participation.of(id, "token", operation, contribution, WAIT_NANOS),
        network.nowNanos());
  }

  /** Returns whether its application has the result of the operation. */
  boolean hasPassed() {
    return outcomes.stream().anyMatch(Outcome.Completed.class::isInstance);
  }

  /** Returns the outcomes that its application received. */
  List<Outcome> outcomes() {
    return outcomes;
  }

  /** The subscriber takes nothing any more. */
  void stall() {
    stalled = true;
  }

  /** The subscriber takes what was delivered, and what comes. */
  void resume() {
    stalled = false;
    core.consumed(SUBSCRIBER, subscriber.consume(), network.nowNanos());
  }

  void listen(Listener toWhatArrives) {
    listener = toWhatArrives;
  }

  /** The agent hears and says nothing any more: somebody else speaks on its connections. */
  void silence() {
    silenced = true;
  }

  @Override
  public void deliver(long name, Chunk chunk, @Nullable OrderPosition position) {
    subscriber.deliver(chunk);
    consumeSoon();
  }

  @Override
  public void began(long name, List<MessageId> after) {}

  @Override
  public void live(long name) {}

  @Override
  public void confirmed(Confirmation confirmation) {}

  @Override
  public void uploadTaken(long upload, int pieces) {}

  @Override
  public void uploadEnded(long upload, int replicas) {}

  @Override
  public void collectiveEnded(long call, Outcome outcome) {
    outcomes.add(outcome);
  }

  @Override
  public void missed(long name, Gap gap, MissedReason reason) {
    subscriber.miss(gap);
    consumeSoon();
  }

  private void consumeSoon() {
    network.after(
        0,
        () -> {
          if (!stalled) {
            resume();
          }
        });
  }

  @Override
  public void fellBehind(long subscriber) {}

  @Override
  public void abandoned(long name, MessageId message) {
    subscriber.abandon(message);
  }

  @Override
  public void measured(NodeId neighbour, SeriesResource resource, long value) {}

  @Override
  public void treeChanged(TreeChange change) {
    tree = change.tree();
  }

  @Override
  public long unixNanos() {
    return 0;
  }

  @Override
  public void noticed(Notice notice) {
    notices.add(notice);
  }

  @Override
  public void controlAccepted(Connection<PeerMessage> connection, long nowNanos) {
    if (!silenced) {
      core.controlAccepted(connection, nowNanos);
    }
  }

  @Override
  public void controlReceived(
      Connection<PeerMessage> connection, PeerMessage message, long nowNanos) {
    if (listener != null) {
      listener.control(connection, message);
    }
    if (!silenced) {
      core.controlReceived(connection, message, nowNanos);
    }
  }

  @Override
  public void controlClosed(Connection<PeerMessage> connection, String reason, long nowNanos) {
    if (!silenced) {
      core.controlClosed(connection, reason, nowNanos);
    }
  }

  @Override
  public void dataAccepted(Connection<DataMessage> connection, long nowNanos) {
    if (!silenced) {
      core.dataAccepted(connection, nowNanos);
    }
  }

  @Override
  public void dataReceived(Connection<DataMessage> connection, DataMessage message, long nowNanos) {
    if (listener != null) {
      listener.data(connection, message);
    }
    if (!silenced) {
      core.dataReceived(connection, message, nowNanos);
    }
  }

  @Override
  public void dataClosed(Connection<DataMessage> connection, String reason, long nowNanos) {
    if (!silenced) {
      core.dataClosed(connection, reason, nowNanos);
    }
  }

  @Override
  public long nextDeadlineNanos() {
    return silenced ? Long.MAX_VALUE : core.nextDeadlineNanos();
  }

  @Override
  public void tick(long nowNanos) {
    core.tick(nowNanos);
  }
}
