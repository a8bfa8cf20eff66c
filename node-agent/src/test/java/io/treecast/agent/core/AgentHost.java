package io.treecast.agent.core;

import io.treecast.agent.core.contract.AgentEffects;
import io.treecast.agent.core.contract.Connection;
import io.treecast.agent.core.contract.LinkState;
import io.treecast.agent.core.contract.Notice;
import io.treecast.agent.core.contract.Notice.Severity;
import io.treecast.agent.core.contract.TreeChange;
import io.treecast.agent.core.contract.TreePhase;
import io.treecast.agent.core.link.LinksDiscoveryTest;
import io.treecast.agent.core.message.DataMessage;
import io.treecast.agent.core.message.Membership;
import io.treecast.agent.core.message.PeerMessage;
import io.treecast.agent.core.publish.Publication;
import io.treecast.agent.core.publish.PublishOutcome;
import io.treecast.agent.core.settings.CoreConfig;
import io.treecast.agent.core.settings.LinkLimits;
import io.treecast.collectives.broadcast.contract.BroadcastLimits;
import io.treecast.collectives.broadcast.contract.BroadcastRefusedException;
import io.treecast.collectives.broadcast.contract.SubscribeOptions;
import io.treecast.collectives.broadcast.message.Chunk;
import io.treecast.collectives.broadcast.message.Confirmation;
import io.treecast.collectives.broadcast.message.Gap;
import io.treecast.collectives.broadcast.message.MessageId;
import io.treecast.collectives.broadcast.message.MissedReason;
import io.treecast.collectives.broadcast.message.OrderPosition;
import io.treecast.collectives.broadcast.message.Topic;
import io.treecast.ghs.NodeId;
import io.treecast.monitor.series.SeriesResource;
import io.treecast.monitor.throughput.ThroughputPolicy;
import io.treecast.mst.CommittedTree;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * A whole agent on a {@link VirtualNetwork}, with one subscriber that takes what comes unless it is
 * told to stall.
 */
public final class AgentHost implements VirtualNetwork.Host, AgentEffects {
  public static final long SUBSCRIBER = 1;
  private boolean subscriptionBegan;
  private static final AtomicLong INCARNATIONS = new AtomicLong(1_000_000_000);

  /** The outcome of a broadcast; its fields are null until the outcome is known. */
  public static final class Outcome implements PublishOutcome {
    public @Nullable MessageId messageId;
    public int replicas;
    public BroadcastRefusedException.@Nullable Reason refusal;
    public @Nullable String text;
    private boolean givenUp;

    public void giveUp() {
      givenUp = true;
    }

    @Override
    public boolean isWanted() {
      return !givenUp;
    }

    public boolean isKnown() {
      return messageId != null || refusal != null;
    }

    @Override
    public void accepted(MessageId id, long treeVersion, int haveIt) {
      checkFirst();
      messageId = id;
      replicas = haveIt;
    }

    @Override
    public void refused(BroadcastRefusedException.Reason reason, String explanation) {
      checkFirst();
      refusal = reason;
      text = explanation;
    }

    private void checkFirst() {
      if (isKnown()) {
        throw new AssertionError("told twice");
      }
    }
  }

  private final VirtualNetwork network;
  private final String address;

  /** Where the network knows it; other than its address where that leads to several. */
  private final String place;

  private final long incarnation;
  private final AgentCore core;
  private final List<Notice> notices = new ArrayList<>();
  private final List<Chunk> delivered = new ArrayList<>();
  private final List<TreeChange> changes = new ArrayList<>();
  private long unconsumedBytes;
  private long clients;
  private boolean stalled;

  private AgentHost(VirtualNetwork network, String place, CoreConfig config) {
    this.network = network;
    this.place = place;
    this.address = config.address();
    this.incarnation = config.incarnation();
    this.core = new AgentCore(config, network.transportOf(place), this);
  }

  public static AgentHost start(VirtualNetwork network, int node, Membership membership) {
    return start(network, node, membership, BroadcastLimits.defaults());
  }

  public static AgentHost start(
      VirtualNetwork network, int node, Membership membership, BroadcastLimits limits) {
    return start(network, node, membership, LinkLimits.DEFAULT, limits);
  }

  public static AgentHost start(
      VirtualNetwork network,
      int node,
      Membership membership,
      LinkLimits links,
      BroadcastLimits limits) {
    return start(network, node, membership, links, ThroughputPolicy.DISABLED, limits);
  }

  public static AgentHost start(
      VirtualNetwork network,
      int node,
      Membership membership,
      LinkLimits links,
      ThroughputPolicy throughput,
      BroadcastLimits limits) {
    String address = LinksDiscoveryTest.address(node);
    return start(network, "h" + node, address, membership, links, throughput, limits);
  }

  /** Starts one that has some other address. */
  public static AgentHost start(
      VirtualNetwork network, String id, String address, Membership membership) {
    return startAt(network, address, id, address, membership);
  }

  /** Starts one that the network knows at another place than where it says that it is. */
  static AgentHost startAt(
      VirtualNetwork network, String place, String id, String address, Membership membership) {
    return startAt(network, place, id, address, INCARNATIONS.incrementAndGet(), membership);
  }

  /** Starts an agent likewise, in the life of this number. */
  static AgentHost startAt(
      VirtualNetwork network,
      String place,
      String id,
      String address,
      long incarnation,
      Membership membership) {
    return start(
        network,
        place,
        TestConfig.of(
            NodeId.of(id),
            incarnation,
            address,
            membership,
            LinkLimits.DEFAULT,
            ThroughputPolicy.DISABLED,
            BroadcastLimits.defaults()));
  }

  private static AgentHost start(
      VirtualNetwork network,
      String id,
      String address,
      Membership membership,
      LinkLimits links,
      ThroughputPolicy throughput,
      BroadcastLimits limits) {
    CoreConfig config =
        TestConfig.of(
            NodeId.of(id),
            INCARNATIONS.incrementAndGet(),
            address,
            membership,
            links,
            throughput,
            limits);
    return start(network, address, config);
  }

  private static AgentHost start(VirtualNetwork network, String place, CoreConfig config) {
    AgentHost host = new AgentHost(network, place, config);
    network.put(place, host);
    host.core.start(network.nowNanos());
    try {
      host.core.subscribe(SUBSCRIBER, SubscribeOptions.defaults());
    } catch (BroadcastRefusedException e) {
      throw new AssertionError(e);
    }
    return host;
  }

  /** Agents h0, h1... that all know h0, started together. */
  public static List<AgentHost> cluster(VirtualNetwork network, int nodes) {
    return cluster(network, nodes, BroadcastLimits.defaults());
  }

  public static List<AgentHost> cluster(VirtualNetwork network, int nodes, BroadcastLimits limits) {
    List<AgentHost> hosts = new ArrayList<>();
    for (int node = 0; node < nodes; node++) {
      hosts.add(join(network, node, limits));
    }
    return hosts;
  }

  /** Starts or restarts an agent that knows h0. */
  public static AgentHost join(VirtualNetwork network, int node) {
    return join(network, node, BroadcastLimits.defaults());
  }

  private static AgentHost join(VirtualNetwork network, int node, BroadcastLimits limits) {
    List<String> seeds = node == 0 ? List.of() : List.of(LinksDiscoveryTest.address(0));
    return start(network, node, Membership.discovered(seeds), limits);
  }

  /** Runs until all agents carry broadcasts, on one tree that they all have and are all in. */
  public static void runUntilReady(VirtualNetwork network, List<AgentHost> hosts, long seed) {
    boolean ready =
        network.runUntil(
            () -> agree(hosts) && hosts.stream().allMatch(host -> host.subscriptionBegan), 120_000);
    if (!ready) {
      throw new AssertionError(
          "seed " + seed + ": " + hosts.stream().map(h -> h.core.treeStatus()).toList());
    }
  }

  /**
   * Returns whether these agents have the same tree, of them alone, and carry broadcasts along it.
   */
  public static boolean agree(List<AgentHost> hosts) {
    CommittedTree first = hosts.get(0).core.treeStatus().tree();
    return first != null
        && first.members().size() == hosts.size()
        && hosts.stream()
            .allMatch(
                h ->
                    Objects.equals(first, h.core.treeStatus().tree())
                        && h.core.treeStatus().phase() == TreePhase.COMMITTED
                        && h.core.snapshot().carriesBroadcasts());
  }

  public AgentCore core() {
    return core;
  }

  public String address() {
    return address;
  }

  String place() {
    return place;
  }

  long incarnation() {
    return incarnation;
  }

  public long nowNanos() {
    return network.nowNanos();
  }

  /** By a client of its own. */
  Outcome publish(byte[] payload, long waitMillis) {
    return publish("client-" + ++clients, payload, waitMillis);
  }

  Outcome publish(String client, byte[] payload, long waitMillis) {
    return publish(client, payload, waitMillis, null);
  }

  Outcome publish(
      String client, byte[] payload, long waitMillis, Publication.@Nullable Attempt attempt) {
    Outcome outcome = new Outcome();
    long deadlineNanos = network.nowNanos() + waitMillis * VirtualNetwork.MILLI;
    core.publish(
        Publication.of(client, Topic.DEFAULT, ByteBuffer.wrap(payload), deadlineNanos)
            .withAttempt(attempt),
        outcome,
        network.nowNanos());
    return outcome;
  }

  /** Takes nothing of what is delivered any more. */
  void stall() {
    stalled = true;
  }

  /** Takes what was delivered, and what comes. */
  void resume() {
    stalled = false;
    long bytes = unconsumedBytes;
    unconsumedBytes = 0;
    core.consumed(SUBSCRIBER, bytes, network.nowNanos());
  }

  public List<Chunk> delivered() {
    return delivered;
  }

  /** Every reconfiguration that it reported, oldest first. */
  public List<TreeChange> changes() {
    return changes;
  }

  /** Its committed tree. */
  public CommittedTree tree() {
    CommittedTree tree = core.treeStatus().tree();
    if (tree == null) {
      throw new AssertionError(address + " has no tree: " + core.treeStatus().reason());
    }
    return tree;
  }

  /** Returns the agent's view of its link to another. */
  public AgentSnapshot.LinkView link(AgentHost other) {
    return core.snapshot().links().stream()
        .filter(link -> link.peer().address().equals(other.address))
        .findFirst()
        .orElseThrow(() -> new AssertionError(address + " does not know " + other.address));
  }

  /** Returns the agent's view of its link to the agent of this id. */
  public AgentSnapshot.LinkView link(NodeId other) {
    return core.snapshot().links().stream()
        .filter(link -> link.peer().id().equals(other))
        .findFirst()
        .orElseThrow(() -> new AssertionError(address + " does not know " + other));
  }

  public LinkState stateOf(AgentHost other) {
    return link(other).state();
  }

  public long controlMessagesSent() {
    return core.snapshot().controlMessagesSent().values().stream().mapToLong(Long::longValue).sum();
  }

  public List<String> notices(Severity severity) {
    return notices.stream().filter(n -> n.severity() == severity).map(Notice::text).toList();
  }

  public List<String> notices(Notice.Kind kind) {
    return notices.stream().filter(n -> n.kind() == kind).map(Notice::text).toList();
  }

  @Override
  public void controlAccepted(Connection<PeerMessage> connection, long nowNanos) {
    core.controlAccepted(connection, nowNanos);
  }

  @Override
  public void controlReceived(
      Connection<PeerMessage> connection, PeerMessage message, long nowNanos) {
    core.controlReceived(connection, message, nowNanos);
  }

  @Override
  public void controlClosed(Connection<PeerMessage> connection, String reason, long nowNanos) {
    core.controlClosed(connection, reason, nowNanos);
  }

  @Override
  public void dataAccepted(Connection<DataMessage> connection, long nowNanos) {
    core.dataAccepted(connection, nowNanos);
  }

  @Override
  public void dataReceived(Connection<DataMessage> connection, DataMessage message, long nowNanos) {
    core.dataReceived(connection, message, nowNanos);
  }

  @Override
  public void dataClosed(Connection<DataMessage> connection, String reason, long nowNanos) {
    core.dataClosed(connection, reason, nowNanos);
  }

  @Override
  public long nextDeadlineNanos() {
    return core.nextDeadlineNanos();
  }

  @Override
  public void tick(long nowNanos) {
    core.tick(nowNanos);
  }

  @Override
  public void began(long subscriber, List<MessageId> after) {
    subscriptionBegan = true;
  }

  @Override
  public void live(long subscriber) {}

  @Override
  public void missed(long subscriber, Gap gap, MissedReason reason) {
    throw new AssertionError(address + " missed messages: " + gap);
  }

  @Override
  public void fellBehind(long subscriber) {}

  @Override
  public void abandoned(long subscriber, MessageId message) {
    // Seen through counters.
  }

  @Override
  public void deliver(long subscriber, Chunk chunk, @Nullable OrderPosition position) {
    delivered.add(chunk);
    unconsumedBytes += chunk.cost();
    if (!stalled) {
      network.after(
          0,
          () -> {
            if (!stalled) {
              resume();
            }
          });
    }
  }

  @Override
  public void confirmed(Confirmation confirmation) {
    throw new AssertionError("nobody asked for " + confirmation);
  }

  @Override
  public void uploadTaken(long upload, int pieces) {}

  @Override
  public void uploadEnded(long upload, int replicas) {}

  @Override
  public void collectiveEnded(
      long call, io.treecast.collectives.operation.contract.Outcome outcome) {}

  @Override
  public void measured(NodeId neighbour, SeriesResource resource, long value) {}

  @Override
  public void treeChanged(TreeChange change) {
    changes.add(change);
  }

  @Override
  public long unixNanos() {
    return 0;
  }

  @Override
  public void noticed(Notice notice) {
    notices.add(notice);
  }
}
