package io.treecast.agent.core;

import io.treecast.agent.core.contract.Connection;
import io.treecast.agent.core.contract.Transport;
import io.treecast.agent.core.message.DataMessage;
import io.treecast.agent.core.message.PeerMessage;
import io.treecast.ghs.NodeId;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.Random;
import java.util.Set;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Hosts that connect to each other in virtual time. Every message is delayed at random, in order
 * within a connection, so connections overtake each other; or, where links are to be measured, by
 * nearly the same time on each link. Hosts can be missing, pause, crash, and lose a connection at
 * one end only; a link can be silent in one direction or both. The same seed gives the same run.
 * One thread.
 */
public final class VirtualNetwork {
  public static final long MILLI = 1_000_000;

  /** A program at an address. Its events are those of {@link AgentCore}. */
  interface Host {
    void controlAccepted(Connection<PeerMessage> connection, long nowNanos);

    void controlReceived(Connection<PeerMessage> connection, PeerMessage message, long nowNanos);

    void controlClosed(Connection<PeerMessage> connection, String reason, long nowNanos);

    void dataAccepted(Connection<DataMessage> connection, long nowNanos);

    void dataReceived(Connection<DataMessage> connection, DataMessage message, long nowNanos);

    void dataClosed(Connection<DataMessage> connection, String reason, long nowNanos);

    long nextDeadlineNanos();

    void tick(long nowNanos);
  }

  /** A process at an address, from its start to its crash. */
  private static final class Machine {
    final Host host;
    final List<Runnable> arrivedWhilePaused = new ArrayList<>();
    boolean up = true;
    boolean paused;

    Machine(Host host) {
      this.host = host;
    }
  }

  private record Event(long dueNanos, long number, Runnable action) implements Comparable<Event> {
    @Override
    public int compareTo(Event other) {
      int byTime = Long.compare(dueNanos, other.dueNanos);
      return byTime != 0 ? byTime : Long.compare(number, other.number);
    }
  }

  /** From one address to another. */
  private record Direction(String from, String to) {
    Direction back() {
      return new Direction(to, from);
    }
  }

  private interface Kind<M> {
    void accepted(Host host, Connection<M> connection, long nowNanos);

    void received(Host host, Connection<M> connection, M message, long nowNanos);

    void closed(Host host, Connection<M> connection, String reason, long nowNanos);
  }

  private static final Kind<PeerMessage> CONTROL =
      new Kind<>() {
        @Override
        public void accepted(Host host, Connection<PeerMessage> connection, long nowNanos) {
          host.controlAccepted(connection, nowNanos);
        }

        @Override
        public void received(
            Host host, Connection<PeerMessage> connection, PeerMessage message, long nowNanos) {
          host.controlReceived(connection, message, nowNanos);
        }

        @Override
        public void closed(
            Host host, Connection<PeerMessage> connection, String reason, long nowNanos) {
          host.controlClosed(connection, reason, nowNanos);
        }
      };

  private static final Kind<DataMessage> DATA =
      new Kind<>() {
        @Override
        public void accepted(Host host, Connection<DataMessage> connection, long nowNanos) {
          host.dataAccepted(connection, nowNanos);
        }

        @Override
        public void received(
            Host host, Connection<DataMessage> connection, DataMessage message, long nowNanos) {
          host.dataReceived(connection, message, nowNanos);
        }

        @Override
        public void closed(
            Host host, Connection<DataMessage> connection, String reason, long nowNanos) {
          host.dataClosed(connection, reason, nowNanos);
        }
      };

  /** One end of a connection. */
  public final class Stream<M> implements Connection<M> {
    private final Kind<M> kind;
    private final Machine machine;
    private final String remoteAddress;

    /** The address of the other end, as this end knows it. */
    private String told;

    private @Nullable Stream<M> far;
    private boolean closed;
    private long lastArrivalNanos;

    private Stream(Kind<M> kind, Machine machine, String remoteAddress) {
      this.kind = kind;
      this.machine = machine;
      this.remoteAddress = remoteAddress;
      this.told = remoteAddress;
      streams.add(this);
    }

    boolean isOpen() {
      return !closed && machine.up;
    }

    /** Returns whether the other end is gone without this one knowing. */
    public boolean isHalfOpen() {
      Stream<M> other = far;
      return isOpen() && other != null && !other.isOpen();
    }

    boolean isFarEndOf(Connection<M> other) {
      return far == other;
    }

    public boolean isControl() {
      return kind == CONTROL;
    }

    /** The network ends it here; the other end does not notice. */
    public void breakHere(String reason) {
      if (isOpen()) {
        closed = true;
        kind.closed(machine.host, this, reason, nowNanos);
      }
    }

    /** The network ends it at both ends, at the other one later. */
    public void breakBoth(String reason) {
      breakHere(reason);
      breakFarEnd(reason);
    }

    private void breakFarEnd(String reason) {
      Stream<M> other = far;
      if (other != null) {
        atFarEnd(() -> other.breakHere(reason));
      }
    }

    private void atFarEnd(Runnable action) {
      Stream<M> other = far;
      if (other == null) {
        after(randomDelayNanos(), action);
        return;
      }
      Direction direction = new Direction(other.remoteAddress, remoteAddress);
      lastArrivalNanos = Math.max(lastArrivalNanos, nowNanos + delayNanos(direction));
      at(lastArrivalNanos, () -> arrive(direction, other.machine, action));
    }

    /** Like {@link #send}, but it arrives at once. */
    void arriveNow(M message) {
      Stream<M> other = far;
      if (!closed && other != null && other.isOpen()) {
        other.kind.received(other.machine.host, other, message, nowNanos);
      }
    }

    @Override
    public void send(M message) {
      Stream<M> other = far;
      if (closed || other == null) {
        return;
      }
      atFarEnd(
          () -> {
            if (other.isOpen() && (isControl() || !swallowsData)) {
              other.kind.received(other.machine.host, other, message, nowNanos);
            }
          });
    }

    @Override
    public void close() {
      if (!closed) {
        closed = true;
        breakFarEnd("closed by the other end");
      }
    }

    @Override
    public void identified(NodeId peer) {
      // The network knows its ends.
    }

    @Override
    public String remoteAddress() {
      return told;
    }

    @Override
    public String toString() {
      return (isControl() ? "control" : "data") + " stream to " + remoteAddress;
    }
  }

  private final Random random;
  private final long maxDelayNanos;
  private final Map<String, Machine> machines = new LinkedHashMap<>();
  private final List<Stream<?>> streams = new ArrayList<>();
  private final PriorityQueue<Event> events = new PriorityQueue<>();
  private final List<String> dials = new ArrayList<>();
  private final Map<String, List<String>> behind = new LinkedHashMap<>();
  private final Set<String> proxies = new HashSet<>();
  private final Map<String, Integer> turns = new LinkedHashMap<>();
  private final Map<Direction, List<Runnable>> held = new LinkedHashMap<>();
  private final Map<Direction, Long> linkDelayNanos = new LinkedHashMap<>();
  private long lastNumber;
  private long nowNanos;
  private boolean swallowsData;
  private boolean measurable;

  public VirtualNetwork(long seed, long maxDelayNanos) {
    this.random = new Random(seed);
    this.maxDelayNanos = maxDelayNanos;
  }

  /** Each link has a delay of its own, up to the greatest, and messages differ by a percent. */
  public static VirtualNetwork measurable(long seed, long maxDelayNanos) {
    VirtualNetwork network = new VirtualNetwork(seed, maxDelayNanos);
    network.measurable = true;
    return network;
  }

  /** From now on the round trip between two addresses takes so long. */
  public void rtt(String one, String other, long rttMillis) {
    linkDelayNanos.put(new Direction(one, other), rttMillis * MILLI / 2);
    linkDelayNanos.put(new Direction(other, one), rttMillis * MILLI / 2);
  }

  private long delayNanos(Direction direction) {
    if (!measurable) {
      return randomDelayNanos();
    }
    Long known = linkDelayNanos.get(direction);
    long delay = known == null ? randomDelayNanos() : known;
    if (known == null) {
      linkDelayNanos.put(direction, delay);
      linkDelayNanos.put(direction.back(), delay);
    }
    return delay + random.nextLong(delay / 100 + 1);
  }

  private long randomDelayNanos() {
    return 1 + random.nextLong(maxDelayNanos);
  }

  private void arrive(Direction direction, Machine there, Runnable action) {
    List<Runnable> waiting = held.get(direction);
    if (waiting != null) {
      waiting.add(() -> arrive(direction, there, action));
    } else if (there.paused) {
      there.arrivedWhilePaused.add(action);
    } else {
      action.run();
    }
  }

  /** From now on nothing that one sends to the other arrives; it waits. */
  void hold(String from, String to) {
    held.putIfAbsent(new Direction(from, to), new ArrayList<>());
  }

  /** Delivers the messages held in this direction, and holds no more. */
  void release(String from, String to) {
    List<Runnable> waiting = held.remove(new Direction(from, to));
    if (waiting != null) {
      waiting.forEach(Runnable::run);
    }
  }

  /** Nothing gets through between the two, in either direction. */
  public void cut(String one, String other) {
    hold(one, other);
    hold(other, one);
  }

  public void heal(String one, String other) {
    release(one, other);
    release(other, one);
  }

  /** The process at the address does not run; what arrives there waits. */
  void pause(String address) {
    machine(address).paused = true;
  }

  /** It runs again, and finds out how late it is before it reads what has arrived. */
  void resume(String address) {
    Machine machine = machine(address);
    machine.paused = false;
    machine.host.tick(nowNanos);
    List<Runnable> arrived = List.copyOf(machine.arrivedWhilePaused);
    machine.arrivedWhilePaused.clear();
    arrived.forEach(Runnable::run);
  }

  private Machine machine(String address) {
    Machine machine = machines.get(address);
    if (machine == null) {
      throw new AssertionError("nobody is at " + address);
    }
    return machine;
  }

  public long nowNanos() {
    return nowNanos;
  }

  void at(long dueNanos, Runnable action) {
    events.add(new Event(Math.max(dueNanos, nowNanos), ++lastNumber, action));
  }

  void after(long delayNanos, Runnable action) {
    at(nowNanos + delayNanos, action);
  }

  /**
   * From now on whoever dials the first address reaches one of the others, which take turns; a
   * balancer, a proxy, or a network with two machines of one address.
   */
  public void leadTo(String address, String... others) {
    behind.put(address, List.of(others));
  }

  /** From now on the address leads in turn to these, and nobody who dials it sees to which. */
  public void leadUnseenTo(String address, String... others) {
    leadTo(address, others);
    proxies.add(address);
  }

  private String ledTo(String address) {
    List<String> others = behind.getOrDefault(address, List.of(address));
    return others.get((turns.merge(address, 1, Integer::sum) - 1) % others.size());
  }

  /** From now on nothing arrives on data streams, and nobody notices. */
  public void swallowData() {
    swallowsData = true;
  }

  /** From now on this host answers at the address, instead of whoever did. */
  public void put(String address, Host host) {
    crash(address);
    machines.put(address, new Machine(host));
  }

  /** The process at the address is gone, and so are its connections, which others notice later. */
  public void crash(String address) {
    Machine machine = machines.remove(address);
    if (machine != null) {
      machine.up = false;
      for (Stream<?> stream : List.copyOf(streams)) {
        if (stream.machine == machine && !stream.closed) {
          stream.closed = true;
          stream.breakFarEnd("connection reset");
        }
      }
    }
  }

  /** How the host at an address reaches others. */
  Transport transportOf(String from) {
    return new Transport() {
      @Override
      public Connection<PeerMessage> dialControl(String address) {
        return dial(CONTROL, from, address);
      }

      @Override
      public Connection<DataMessage> dialData(String address) {
        return dial(DATA, from, address);
      }
    };
  }

  private <M> Stream<M> dial(Kind<M> kind, String from, String address) {
    dials.add(from + " > " + address);
    Machine dialer = machines.get(from);
    if (dialer == null) {
      throw new AssertionError("a crashed host dials: " + from);
    }
    String reached = ledTo(address);
    Stream<M> near = new Stream<>(kind, dialer, reached);
    if (proxies.contains(address)) {
      near.told = address;
    }
    Machine there = machines.get(reached);
    if (there == null) {
      near.atFarEnd(() -> near.breakHere("connection refused"));
      return near;
    }
    Stream<M> far = new Stream<>(kind, there, from);
    near.far = far;
    far.far = near;
    near.atFarEnd(
        () -> {
          if (far.isOpen()) {
            kind.accepted(there.host, far, nowNanos);
          }
        });
    return near;
  }

  /** Every dial so far, as {@code "from > to"}. */
  public List<String> dials() {
    return List.copyOf(dials);
  }

  /** Ends that are open, of connections between agents that run. */
  public List<Stream<?>> openStreams() {
    return streams.stream().filter(stream -> stream.isOpen() && stream.far != null).toList();
  }

  private boolean step(long untilNanos) {
    Event next = events.peek();
    long dueNanos = next == null ? Long.MAX_VALUE : next.dueNanos;
    Machine ticking = null;
    for (Machine machine : machines.values()) {
      long deadline = machine.paused ? Long.MAX_VALUE : machine.host.nextDeadlineNanos();
      if (deadline < dueNanos) {
        dueNanos = deadline;
        ticking = machine;
      }
    }
    if (dueNanos > untilNanos) {
      nowNanos = Math.max(nowNanos, untilNanos);
      return false;
    }
    nowNanos = Math.max(nowNanos, dueNanos);
    if (ticking != null) {
      ticking.host.tick(nowNanos);
    } else if (next != null) {
      events.remove();
      next.action.run();
    }
    return true;
  }

  /** Lets so much time pass. */
  public void run(long millis) {
    long end = nowNanos + millis * MILLI;
    int steps = 0;
    while (step(end)) {
      if (++steps > 1_000_000) {
        throw new AssertionError("time stands still at " + nowNanos + " ns");
      }
    }
  }

  /** Lets time pass until something is so; whether it came to be so in time. */
  public boolean runUntil(BooleanSupplier condition, long maxMillis) {
    long end = nowNanos + maxMillis * MILLI;
    while (!condition.getAsBoolean()) {
      if (!step(end)) {
        return condition.getAsBoolean();
      }
    }
    return true;
  }
}
