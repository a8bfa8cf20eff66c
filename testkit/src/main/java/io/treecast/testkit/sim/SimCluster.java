package io.treecast.testkit.sim;

import io.treecast.agent.core.AgentSnapshot;
import io.treecast.agent.core.Connection;
import io.treecast.agent.core.CoreConfig;
import io.treecast.agent.core.DataMessage;
import io.treecast.agent.core.LinkLimits;
import io.treecast.agent.core.Member;
import io.treecast.agent.core.Membership;
import io.treecast.agent.core.Notice;
import io.treecast.agent.core.PeerMessage;
import io.treecast.agent.core.PublishOutcome;
import io.treecast.agent.core.Transport;
import io.treecast.agent.wire.DataCodec;
import io.treecast.agent.wire.PeerCodec;
import io.treecast.agent.wire.WireViolation;
import io.treecast.collectives.BroadcastLimits;
import io.treecast.collectives.BroadcastRefusedException;
import io.treecast.collectives.Chunk;
import io.treecast.collectives.MessageId;
import io.treecast.ghs.NodeId;
import io.treecast.monitor.ProbePolicy;
import io.treecast.mst.TreeStatus;
import io.treecast.testkit.network.Topology;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.function.BooleanSupplier;

/**
 * Agents on the nodes of a topology, in virtual time. A message takes half its link's round trip;
 * handling it takes no time. The same topology and seed give the same run, to the last byte. One
 * thread.
 *
 * <p>Node n of the topology has the node id {@code "n"} and its neighbours there as configured
 * neighbours.
 */
public final class SimCluster {
  /** Agents start within this time of each other, at moments drawn from the seed. */
  private static final long START_SPREAD_NANOS = 5_000_000;

  private static final long NANOS_PER_MILLI = 1_000_000;

  private final Topology topology;
  private final VirtualTime time = new VirtualTime();
  private final List<SimAgent> agents = new ArrayList<>();
  private final List<String> warnings = new ArrayList<>();
  private final DeliveryLog deliveries;

  /** A cluster whose agents start when time runs. */
  public SimCluster(Topology topology, long seed) {
    this.topology = topology;
    this.deliveries = new DeliveryLog(topology.nodes());
    Random random = new Random(seed);
    for (int node = 0; node < topology.nodes(); node++) {
      CoreConfig config =
          new CoreConfig(
              id(node),
              random.nextLong(),
              id(node).toString(),
              Membership.configured(neighbours(node)),
              LinkLimits.DEFAULT,
              ProbePolicy.DEFAULT,
              BroadcastLimits.defaults());
      SimAgent agent = new SimAgent(node, config, time, new SimTransport(node), new Observer());
      agents.add(agent);
      time.at(random.nextLong(START_SPREAD_NANOS), agent::start);
    }
  }

  private List<Member> neighbours(int node) {
    return topology.neighbours(node).stream()
        .map(n -> new Member(id(n), id(n).toString()))
        .toList();
  }

  /** The node id of a node of the topology. */
  public static NodeId id(int node) {
    return NodeId.of(Integer.toString(node));
  }

  public Topology topology() {
    return topology;
  }

  public long nowNanos() {
    return time.nowNanos();
  }

  /**
   * Lets time run until something is so.
   *
   * @return whether it came to be so within that many virtual milliseconds
   */
  public boolean runUntil(BooleanSupplier condition, long maxMillis) {
    long end = time.nowNanos() + maxMillis * NANOS_PER_MILLI;
    while (!condition.getAsBoolean()) {
      if (!time.step(end)) {
        return condition.getAsBoolean();
      }
    }
    return true;
  }

  /**
   * Lets time run until every agent has a committed tree; whether they have within that many
   * milliseconds.
   */
  public boolean runUntilReady(long maxMillis) {
    // Agents become ready one by one and stay so: look only at the first that was not.
    int[] ready = {0};
    return runUntil(
        () -> {
          while (ready[0] < agents.size() && agents.get(ready[0]).carriesBroadcasts()) {
            ready[0]++;
          }
          return ready[0] == agents.size();
        },
        maxMillis);
  }

  /** Where each agent stands, by node. */
  public List<AgentSnapshot> snapshots() {
    return agents.stream().map(SimAgent::snapshot).toList();
  }

  /**
   * Broadcasts from a node whose agent is ready.
   *
   * @throws IllegalStateException if its agent is not ready, or refuses
   */
  public MessageId broadcast(int source, ByteBuffer payload) {
    TreeStatus status = agents.get(source).treeStatus();
    if (!status.ready()) {
      throw new IllegalStateException(
          "node " + source + " is not ready to broadcast: " + status.reason());
    }
    MessageId[] accepted = new MessageId[1];
    agents
        .get(source)
        .publish(
            payload,
            new PublishOutcome() {
              @Override
              public void accepted(MessageId messageId, long treeVersion) {
                accepted[0] = messageId;
              }

              @Override
              public void refused(BroadcastRefusedException.Reason reason, String text) {
                throw new IllegalStateException(
                    "node " + source + " refused to broadcast: " + text);
              }
            });
    deliveries.published(accepted[0], time.nowNanos());
    return accepted[0];
  }

  /** What was delivered where and when. */
  public DeliveryLog deliveries() {
    return deliveries;
  }

  /** What agents warned of, oldest first. */
  public List<String> warnings() {
    return List.copyOf(warnings);
  }

  private final class Observer implements SimAgent.Observer {
    @Override
    public void delivered(int node, Chunk chunk) {
      deliveries.delivered(node, chunk, time.nowNanos());
    }

    @Override
    public void noticed(int node, Notice notice) {
      if (notice.severity() != Notice.Severity.INFO) {
        warnings.add("node " + node + ": " + notice.text());
      }
    }
  }

  /**
   * The network as one agent sees it: it reaches its neighbours in the topology, at once or never.
   */
  private final class SimTransport implements Transport {
    private final int node;

    SimTransport(int node) {
      this.node = node;
    }

    @Override
    public Connection<PeerMessage> dialControl(String address) {
      int peer = Integer.parseInt(address);
      SimAgent here = agents.get(node);
      SimAgent there = agents.get(peer);
      long delayNanos = delayNanos(peer);
      SimStream<PeerMessage> near =
          SimStream.between(
              time,
              delayNanos,
              SimCluster::throughTheWire,
              here.controlEnd(),
              id(node).toString(),
              there.controlEnd(),
              address);
      time.after(delayNanos, () -> there.controlAccepted(near.far()));
      return near;
    }

    @Override
    public Connection<DataMessage> dialData(String address) {
      int peer = Integer.parseInt(address);
      SimAgent here = agents.get(node);
      SimAgent there = agents.get(peer);
      long delayNanos = delayNanos(peer);
      SimStream<DataMessage> near =
          SimStream.between(
              time,
              delayNanos,
              SimCluster::throughTheWire,
              here.dataEnd(),
              id(node).toString(),
              there.dataEnd(),
              address);
      time.after(delayNanos, () -> there.dataAccepted(near.far()));
      return near;
    }

    private long delayNanos(int peer) {
      return topology.rttMicros(node, peer) * 1_000 / 2;
    }
  }

  private static PeerMessage throughTheWire(PeerMessage message) {
    try {
      byte[] bytes = PeerCodec.encode(message).toByteArray();
      return PeerCodec.decode(io.treecast.proto.v1.ControlFrame.parseFrom(bytes));
    } catch (WireViolation | com.google.protobuf.InvalidProtocolBufferException e) {
      throw new AssertionError("no agent can read " + message, e);
    }
  }

  private static DataMessage throughTheWire(DataMessage message) {
    try {
      byte[] bytes = DataCodec.encode(message).toByteArray();
      return DataCodec.decode(io.treecast.proto.v1.DataFrame.parseFrom(bytes));
    } catch (WireViolation | com.google.protobuf.InvalidProtocolBufferException e) {
      throw new AssertionError("no agent can read " + message, e);
    }
  }
}
