package io.treecast.agent.transport.emulation;

import io.treecast.agent.core.message.Membership;
import io.treecast.ghs.NodeId;
import java.util.ArrayList;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * Stands between agents and the network, and makes links slow, silent or lossy while they run. All
 * agents of a process that are started with an emulation share it. Thread-safe.
 *
 * <p>Faults belong to a direction, from {@code from} to {@code to}. A stream never drops or
 * reorders messages: like TCP, it delivers late or ends. So a <em>held</em> direction keeps
 * messages, including the end of a stream and the opening of a new one, and passes them on in order
 * when it heals. A <em>lost</em> message arrives after the retransmission timeouts that it costs,
 * and later ones wait for it.
 *
 * <p>If a link has a limited throughput, the messages of a stream are sent one after the other.
 * Each stream has the whole throughput of the link, so that payloads do not delay probes.
 *
 * <p>Both ends of a stream pass through the emulation of their process. The sender's end holds and
 * delays; the receiver's end only holds. So a cut that only one process knows is a cut in both
 * directions, and one that both know is not counted twice.
 *
 * <p>A stream knows its peer by the dialed address, if that address is registered, or else from the
 * first message, which names its sender. In both cases nothing passes a cut: a dial hangs, as with
 * a machine that does not answer.
 */
public final class LinkEmulation implements AutoCloseable {
  /**
   * The limit of messages of a stream that wait for a direction to heal; one more resets the
   * stream. It equals the number of the smallest messages that fit into the data window of a link.
   */
  public static final int MAX_HELD_MESSAGES = 131_072;

  /** The maximum loss; beyond it a link is better cut. */
  public static final double MAX_LOSS = 0.99;

  /** The maximum round trip that can be set. */
  public static final long MAX_ROUND_TRIP_MICROS = 600_000_000;

  /**
   * The timeout of the first retransmission, on top of the link's round trip; each further one
   * doubles.
   */
  static final long RETRANSMISSION_TIMEOUT_NANOS = 200_000_000;

  /** The maximum number of losses of one message. */
  static final int MAX_RETRANSMISSIONS = 8;

  private static final long NANOS_A_BYTE_AT_A_KBPS = 8_000_000;

  private static final int MAX_ADDRESSES = 2 * Membership.MAX_MEMBERS;

  /** The latency of links while no round trip is set, and their throughput. Thread-safe. */
  public interface Latency {
    /** Returns the latency from one agent to another, in nanoseconds, on top of the network's. */
    long delayNanos(NodeId from, NodeId to);

    /**
     * Returns the throughput of each stream from one agent to another, in kilobits per second;
     * {@link #UNLIMITED_KBPS} for the network's own.
     */
    default long kbps(NodeId from, NodeId to) {
      return UNLIMITED_KBPS;
    }
  }

  /** The network's own throughput. */
  public static final long UNLIMITED_KBPS = 0;

  private record Direction(NodeId from, NodeId to) implements Comparable<Direction> {
    @Override
    public int compareTo(Direction other) {
      int byFrom = from.compareTo(other.from);
      return byFrom != 0 ? byFrom : to.compareTo(other.to);
    }
  }

  private record Condition(boolean held, double loss, @Nullable Long delayNanos) {
    static final Condition HEALTHY = new Condition(false, 0, null);

    Condition withHeld(boolean newHeld) {
      return new Condition(newHeld, loss, delayNanos);
    }

    Condition withLoss(double newLoss) {
      return new Condition(held, newLoss, delayNanos);
    }

    Condition withDelay(@Nullable Long newDelayNanos) {
      return new Condition(held, loss, newDelayNanos);
    }
  }

  private final Latency latency;
  private final int maxHeldMessages;
  private final DelayLine delayLine = new DelayLine();

  /** Guards all fields below, and the queues of the streams. */
  final ReentrantLock lock = new ReentrantLock();

  private final TreeMap<Direction, Condition> conditions = new TreeMap<>();
  private final Map<String, NodeId> nodeAt = new LinkedHashMap<>();
  private final Set<EmulatedStream> streams = Collections.newSetFromMap(new IdentityHashMap<>());
  private final SplittableRandom losses;

  /**
   * Creates an instance without faults.
   *
   * @param latency the latency of links while no round trip is set
   * @param seed of the random losses
   */
  public LinkEmulation(Latency latency, long seed) {
    this(latency, seed, MAX_HELD_MESSAGES);
  }

  LinkEmulation(Latency latency, long seed, int maxHeldMessages) {
    this.latency = latency;
    this.losses = new SplittableRandom(seed);
    this.maxHeldMessages = maxHeldMessages;
  }

  /** Returns an emulation without latency of its own: links are unchanged until a fault is set. */
  public static LinkEmulation ofRealLinks() {
    return new LinkEmulation((from, to) -> 0, System.nanoTime());
  }

  /** Holds messages in both directions. */
  public void cut(NodeId a, NodeId b) {
    change(a, b, condition -> condition.withHeld(true));
    change(b, a, condition -> condition.withHeld(true));
  }

  /** Holds messages in one direction. */
  public void cutOneWay(NodeId from, NodeId to) {
    change(from, to, condition -> condition.withHeld(true));
  }

  /** Ends cut and loss in both directions; a configured round trip stays. */
  public void heal(NodeId a, NodeId b) {
    change(a, b, condition -> condition.withHeld(false).withLoss(0));
    change(b, a, condition -> condition.withHeld(false).withLoss(0));
  }

  /** Heals every link. */
  public void healAll() {
    faults().forEach(fault -> heal(fault.from(), fault.to()));
  }

  /**
   * Sets the round trip of later messages, half of it in each direction.
   *
   * @param rttMicros up to {@link #MAX_ROUND_TRIP_MICROS}; null for the initial latency
   */
  public void setRoundTrip(NodeId a, NodeId b, @Nullable Long rttMicros) {
    if (rttMicros != null && (rttMicros < 0 || rttMicros > MAX_ROUND_TRIP_MICROS)) {
      throw new IllegalArgumentException(
          "round trip of " + rttMicros + " us; allowed are 0 to " + MAX_ROUND_TRIP_MICROS);
    }
    Long delayNanos = rttMicros == null ? null : rttMicros * 1_000 / 2;
    change(a, b, condition -> condition.withDelay(delayNanos));
    change(b, a, condition -> condition.withDelay(delayNanos));
  }

  /**
   * Sets the probability that a message is lost and sent again, in both directions.
   *
   * @param loss from 0 to {@link #MAX_LOSS}
   */
  public void setLoss(NodeId a, NodeId b, double loss) {
    if (!(loss >= 0 && loss <= MAX_LOSS)) {
      throw new IllegalArgumentException("loss of " + loss + "; allowed are 0 to " + MAX_LOSS);
    }
    change(a, b, condition -> condition.withLoss(loss));
    change(b, a, condition -> condition.withLoss(loss));
  }

  /**
   * Ends the streams between two nodes with an error, at the ends in this process; also through a
   * cut.
   *
   * @return the number of ended stream ends
   */
  public int reset(NodeId a, NodeId b) {
    lock.lock();
    try {
      int ends = 0;
      for (EmulatedStream stream : List.copyOf(streams)) {
        if (stream.isBetween(a, b)) {
          stream.reset("the link " + a + "-" + b + " was reset on purpose");
          ends++;
        }
      }
      return ends;
    } finally {
      lock.unlock();
    }
  }

  /** Returns all directions that differ from their initial state. */
  public List<LinkFault> faults() {
    return faults(null);
  }

  /** Returns the faults of one agent's links, with the messages held at its ends. */
  public List<LinkFault> faultsOf(NodeId agent) {
    return faults(agent);
  }

  private List<LinkFault> faults(@Nullable NodeId agent) {
    lock.lock();
    try {
      List<LinkFault> faults = new ArrayList<>();
      conditions.forEach(
          (direction, condition) -> {
            if (agent == null || direction.from.equals(agent) || direction.to.equals(agent)) {
              faults.add(
                  new LinkFault(
                      direction.from,
                      direction.to,
                      condition.held,
                      condition.loss,
                      condition.delayNanos,
                      heldMessages(direction, agent)));
            }
          });
      return List.copyOf(faults);
    } finally {
      lock.unlock();
    }
  }

  private int heldMessages(Direction direction, @Nullable NodeId agent) {
    return streams.stream()
        .filter(stream -> agent == null || stream.isOf(agent))
        .mapToInt(stream -> stream.held(direction.from, direction.to))
        .sum();
  }

  /** Registers the address of a node, so that faults apply to a dial from its beginning. */
  public void located(NodeId node, String address) {
    lock.lock();
    try {
      if (nodeAt.size() < MAX_ADDRESSES || nodeAt.containsKey(address)) {
        nodeAt.put(address, node);
      }
    } finally {
      lock.unlock();
    }
  }

  private void change(NodeId from, NodeId to, UnaryOperator<Condition> change) {
    lock.lock();
    try {
      Direction direction = new Direction(from, to);
      Condition next = change.apply(conditions.getOrDefault(direction, Condition.HEALTHY));
      if (next.equals(Condition.HEALTHY)) {
        conditions.remove(direction);
      } else {
        conditions.put(direction, next);
      }
      List.copyOf(streams).forEach(EmulatedStream::releaseUnheld);
    } finally {
      lock.unlock();
    }
  }

  /**
   * Creates a stream of an agent in this process.
   *
   * @param self the agent
   * @param dialedAddress the dialed address; null at the accepting end
   * @param reset closes the stream for this reason; must return at once
   */
  public EmulatedStream stream(
      NodeId self, @Nullable String dialedAddress, EmulatedStream.Reset reset) {
    lock.lock();
    try {
      NodeId peer = dialedAddress == null ? null : nodeAt.get(dialedAddress);
      EmulatedStream stream = new EmulatedStream(this, self, dialedAddress, peer, reset);
      streams.add(stream);
      return stream;
    } finally {
      lock.unlock();
    }
  }

  /** Under the lock. */
  void ended(EmulatedStream stream) {
    streams.remove(stream);
  }

  /** Returns the number of streams with an end at this agent. */
  int streamsOf(NodeId agent) {
    lock.lock();
    try {
      return (int) streams.stream().filter(stream -> stream.isOf(agent)).count();
    } finally {
      lock.unlock();
    }
  }

  /** Drops the held messages of an agent that has ended without a goodbye. */
  public void agentGone(NodeId self) {
    lock.lock();
    try {
      for (EmulatedStream stream : List.copyOf(streams)) {
        if (stream.isOf(self)) {
          stream.end();
        }
      }
    } finally {
      lock.unlock();
    }
  }

  /** Under the lock. */
  boolean holds(NodeId from, @Nullable NodeId to) {
    return to != null && condition(from, to).held;
  }

  /** Returns the delay of the next message, including losses. Under the lock. */
  long nextDelayNanos(NodeId from, @Nullable NodeId to) {
    if (to == null) {
      return 0;
    }
    long delayNanos = delayNanos(from, to);
    double loss = condition(from, to).loss;
    if (loss == 0) {
      return delayNanos;
    }
    long timeoutNanos = RETRANSMISSION_TIMEOUT_NANOS + delayNanos + delayNanos(to, from);
    for (int i = 0; i < MAX_RETRANSMISSIONS && losses.nextDouble() < loss; i++) {
      delayNanos += timeoutNanos;
      timeoutNanos *= 2;
    }
    return delayNanos;
  }

  /** Returns the time for which a message of this size occupies its stream. Under the lock. */
  long busyNanos(NodeId from, @Nullable NodeId to, int bytes) {
    long kbps = to == null ? UNLIMITED_KBPS : latency.kbps(from, to);
    return kbps == UNLIMITED_KBPS ? 0 : bytes * NANOS_A_BYTE_AT_A_KBPS / kbps;
  }

  private long delayNanos(NodeId from, NodeId to) {
    Long set = condition(from, to).delayNanos;
    return set != null ? set : latency.delayNanos(from, to);
  }

  private Condition condition(NodeId from, NodeId to) {
    return conditions.isEmpty()
        ? Condition.HEALTHY
        : conditions.getOrDefault(new Direction(from, to), Condition.HEALTHY);
  }

  int maxHeldMessages() {
    return maxHeldMessages;
  }

  /** Runs a task later, on the delay line's thread; it must return at once. */
  public void later(long delayNanos, Runnable task) {
    delayLine.at(System.nanoTime() + delayNanos, late -> task.run());
  }

  DelayLine delayLine() {
    return delayLine;
  }

  /**
   * Sends delayed messages at once, and drops held ones. To be called after the agents are closed.
   */
  @Override
  public void close() {
    delayLine.close();
  }
}
