package io.treecast.testkit.sim.network;

import io.treecast.agent.core.message.DataMessage;
import io.treecast.agent.core.message.PeerMessage;
import io.treecast.testkit.cluster.ControlTraffic;
import io.treecast.testkit.network.NetworkConditions;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.BiFunction;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.LongConsumer;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The network between simulated agents. It carries messages in virtual time according to its
 * conditions, and counts the control messages. Single-threaded.
 */
public final class SimNetwork {
  /** The first retransmission timeout, in addition to the link's round trip. */
  private static final long RETRANSMISSION_NANOS = 200_000_000;

  /** Limit of consecutive losses of a message. */
  private static final int MAX_RETRANSMISSIONS = 8;

  /** Size up to which a message does not wait for other connections. */
  private static final int SMALL_BYTES = 4_096;

  private static final int CONNECTIONS_BETWEEN_SWEEPS = 1_024;

  /**
   * The kinds of connections.
   *
   * @param wires creates the wire format of one end
   * @param ends returns the receiver of events at a host
   * @param sent returns the message that a node sends in place of another
   * @param received returns the message that a node receives in place of another
   * @param frames returns the frame that a node sends in place of another
   * @param isData whether the connections carry data, not control
   */
  record Protocol<M>(
      Supplier<SimWire<M>> wires,
      Function<SimHost, SimStream.End<M>> ends,
      BiFunction<Integer, M, M> sent,
      BiFunction<Integer, M, M> received,
      BiFunction<Integer, byte[], byte[]> frames,
      boolean isData) {}

  /** Changes to the messages of an agent that violates the protocol. */
  public interface Distortion {
    /** Returns the message sent in place of a control message. */
    default PeerMessage sent(PeerMessage message) {
      return message;
    }

    /** Returns the message received in place of a control message. */
    default PeerMessage received(PeerMessage message) {
      return message;
    }

    /** Returns the bytes sent in place of a control frame; the same array if unchanged. */
    default byte[] controlFrame(byte[] frame) {
      return frame;
    }

    /** Returns the bytes sent in place of a data frame; the same array if unchanged. */
    default byte[] dataFrame(byte[] frame) {
      return frame;
    }
  }

  /** The behaviour of an agent that follows the protocol. */
  private static final Distortion NONE = new Distortion() {};

  /** One direction of a link. */
  private record Way(int from, int to) {}

  private final SharedTrees trees = new SharedTrees();
  private final Protocol<PeerMessage> control =
      new Protocol<>(
          () -> SimWire.control(trees),
          SimHost::control,
          (node, message) -> distortion(node).sent(message),
          (node, message) -> distortion(node).received(message),
          (node, frame) -> distortion(node).controlFrame(frame),
          false);
  private final Protocol<DataMessage> data =
      new Protocol<>(
          SimWire::data,
          SimHost::data,
          (node, message) -> message,
          (node, message) -> message,
          (node, frame) -> distortion(node).dataFrame(frame),
          true);
  private final VirtualTime time;
  private final NetworkConditions conditions;
  private final Random losses;
  private final LongConsumer onControlMessage;
  private final TreeMap<Integer, SimHost> hosts = new TreeMap<>();

  /** Time at which each direction of a link has sent its queue. */
  private final HashMap<Way, Long> freeAtNanos = new HashMap<>();

  /** Time at which each node's uplink has sent its queue. */
  private final HashMap<Integer, Long> uplinkFreeAtNanos = new HashMap<>();

  private final TreeSet<String> cutNetworks = new TreeSet<>();
  private final TreeMap<String, Long> extraNanos = new TreeMap<>();
  private final TreeMap<String, Long> controlMessages = new TreeMap<>();
  private final TreeMap<String, DataTraffic> dataMessages = new TreeMap<>();
  private final TreeMap<Integer, Distortion> distortions = new TreeMap<>();
  private final TreeSet<Integer> everDistorted = new TreeSet<>();

  /** The dialers' ends, in the order of dialing. */
  private List<SimStream<?>> connections = new ArrayList<>();

  private int connectionsAtNextSweep = CONNECTIONS_BETWEEN_SWEEPS;
  private @Nullable Consumer<SentMessage> listener;
  private long controlBytes;
  private long lastControlNanos;

  /**
   * Creates a network without agents.
   *
   * @param seed the seed of the losses
   * @param onControlMessage receives the time of each control message
   */
  public SimNetwork(
      VirtualTime time, NetworkConditions conditions, long seed, LongConsumer onControlMessage) {
    this.time = time;
    this.conditions = conditions;
    this.onControlMessage = onControlMessage;
    this.losses = new Random(seed);
  }

  NetworkConditions conditions() {
    return conditions;
  }

  public long nowNanos() {
    return time.nowNanos();
  }

  void at(long dueNanos, Runnable action) {
    time.at(dueNanos, action);
  }

  /** Passes each further control message to a listener, in the order of sending. */
  public void listen(Consumer<SentMessage> added) {
    listener = added;
  }

  /** Returns the agent of a node, paused or not. */
  @Nullable SimHost host(int node) {
    return hosts.get(node);
  }

  public void attach(SimHost host) {
    hosts.put(host.node(), host);
  }

  /** Distorts the messages of a node from now on; null ends this. */
  public void distort(int node, @Nullable Distortion distortion) {
    if (distortion == null) {
      distortions.remove(node);
    } else {
      distortions.put(node, distortion);
      everDistorted.add(node);
    }
  }

  /**
   * Returns whether a node has ever violated the protocol. Frames of the tree are deltas of earlier
   * ones, so a distorted frame may affect later ones of either end.
   */
  boolean isDistorted(int node) {
    return everDistorted.contains(node);
  }

  private Distortion distortion(int node) {
    return distortions.getOrDefault(node, NONE);
  }

  /**
   * Removes an agent that has ended and closes its connections, as the kernel does for a killed
   * process.
   */
  public void detach(SimHost host) {
    hosts.remove(host.node(), host);
    for (SimStream<?> connection : List.copyOf(connections)) {
      SimStream<?> end = connection.endOf(host);
      if (end != null) {
        end.close("connection reset by the other end");
      }
    }
  }

  public SimStream<PeerMessage> dialControl(SimHost dialer, String address) {
    return kept(SimStream.dial(this, control, dialer, address));
  }

  public SimStream<DataMessage> dialData(SimHost dialer, String address) {
    return kept(SimStream.dial(this, data, dialer, address));
  }

  /** Cuts a named network of all nodes. */
  public void cut(String network) {
    cutNetworks.add(network);
  }

  public void heal(String network) {
    cutNetworks.remove(network);
    released();
  }

  boolean isCut(String network) {
    return cutNetworks.contains(network);
  }

  /** Adds a delay to all further messages in a named network. */
  public void slow(String network, long nanos) {
    extraNanos.put(network, nanos);
  }

  long extraNanos(String network) {
    return extraNanos.getOrDefault(network, 0L);
  }

  private <M> SimStream<M> kept(SimStream<M> connection) {
    if (connections.size() >= connectionsAtNextSweep) {
      connections.removeIf(SimStream::isOver);
      connectionsAtNextSweep = connections.size() + CONNECTIONS_BETWEEN_SWEEPS;
    }
    connections.add(connection);
    return connection;
  }

  /**
   * Returns the delay of a message: the queue before it, its own bytes, half the round trip, and
   * the timeouts of its random retransmissions.
   */
  long drawDelayNanos(int from, int to, int bytes) {
    long delay = queueNanos(from, to, bytes) + conditions.oneWayNanos(from, to);
    double loss = conditions.loss(from, to);
    if (loss > 0) {
      long timeout = RETRANSMISSION_NANOS + conditions.rttMicros(from, to) * 1_000;
      for (int i = 0; i < MAX_RETRANSMISSIONS && losses.nextDouble() < loss; i++) {
        delay += timeout;
        timeout *= 2;
      }
    }
    return delay;
  }

  /**
   * Returns the delay until a message has passed the queues of the uplink and of the link. A small
   * message uses the uplink without waiting for others, since connections share it.
   */
  private long queueNanos(int from, int to, int bytes) {
    long now = time.nowNanos();
    long left = queue(uplinkFreeAtNanos, from, conditions.uplinkKbps(from), now, bytes);
    left = bytes <= SMALL_BYTES ? now : left;
    return queue(freeAtNanos, new Way(from, to), conditions.throughputKbps(from, to), left, bytes)
        - now;
  }

  /** Adds a message to a queue, and returns the time at which it has left. */
  private static <K> long queue(
      Map<K, Long> freeAtNanos, K key, long kbps, long comesNanos, int bytes) {
    if (kbps == NetworkConditions.UNLIMITED_KBPS) {
      return comesNanos;
    }
    long begin = Math.max(comesNanos, freeAtNanos.getOrDefault(key, 0L));
    long end = begin + bytes * 8_000_000L / kbps;
    freeAtNanos.put(key, end);
    return end;
  }

  /** Counts a message of the tree. */
  void sentControl(int from, int to, String type, Object message, int bytes) {
    controlMessages.merge(type, 1L, Long::sum);
    controlBytes += bytes;
    lastControlNanos = time.nowNanos();
    onControlMessage.accept(lastControlNanos);
    Consumer<SentMessage> listening = listener;
    if (listening != null) {
      listening.accept(SentMessage.of(lastControlNanos, from, to, type, message));
    }
  }

  /** Returns the traffic so far. */
  public ControlTraffic controlTraffic() {
    return new ControlTraffic(controlMessages, controlBytes);
  }

  /** Takes note of a message of a data stream, or of a broadcast ahead of the tree. */
  void sentData(Object message, int bytes) {
    Object told = message instanceof DataMessage.Edge edge ? edge.message() : message;
    dataMessages.merge(
        told.getClass().getSimpleName(), new DataTraffic(1, bytes), DataTraffic::plus);
  }

  /** Returns the traffic of data streams so far, by type of message. */
  public SortedMap<String, DataTraffic> dataTraffic() {
    return Collections.unmodifiableSortedMap(new TreeMap<>(dataMessages));
  }

  /** Returns when the last control message was sent. */
  public long lastControlNanos() {
    return lastControlNanos;
  }

  /** Returns whether a control message is in flight on a link that passes it. */
  public boolean carriesControlMessage() {
    return connections.stream()
        .anyMatch(near -> near.carriesTreeMessage() || near.far().carriesTreeMessage());
  }

  /** Delivers held messages that now pass. */
  public void released() {
    for (SimStream<?> connection : List.copyOf(connections)) {
      connection.released();
      connection.far().released();
    }
  }

  /** Ends all connections between two nodes. */
  void reset(int one, int other) {
    reset(one, other, connection -> true);
  }

  /** Ends the data connections between two nodes. */
  public void resetData(int one, int other) {
    reset(one, other, SimStream::isData);
  }

  private void reset(int one, int other, Predicate<SimStream<?>> which) {
    for (SimStream<?> connection : List.copyOf(connections)) {
      if (connection.joins(one, other) && which.test(connection)) {
        connection.reset("connection reset");
        connection.far().reset("connection reset");
      }
    }
  }
}
