package io.treecast.agent.core.path;

import io.treecast.agent.core.contract.Connection;
import io.treecast.agent.core.contract.Transport;
import io.treecast.agent.core.message.DataMessage;
import io.treecast.agent.core.message.NetworkAddresses;
import io.treecast.agent.core.message.PeerMessage;
import io.treecast.agent.core.message.PeerMessage.Hello;
import io.treecast.agent.core.message.PeerMessage.ShortcutAck;
import io.treecast.agent.wire.PeerCodec;
import io.treecast.agent.wire.value.WireViolation;
import io.treecast.ghs.NodeId;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Two agents, and between them one network for each address of the second. They say Hello, and then
 * each sends numbered messages at an interval; an agent that hears nothing for a while doubts, as a
 * core does. A network delays, holds what it carries, or ends its connections.
 */
final class TwoAgents {
  static final long MILLI = 1_000_000;
  static final long SAID_EVERY_NANOS = 250 * MILLI;
  static final long DOUBT_NANOS = 1_600 * MILLI;

  private record Event(long dueNanos, long number, Runnable action) {}

  /** One end of a connection in a network. */
  final class Wire implements Connection<PeerMessage> {
    final String network;
    private final Agent here;
    private final PeerCodec codec = new PeerCodec();
    private final List<Runnable> held = new ArrayList<>();
    private @Nullable Wire far;
    private long lastNanos;
    boolean closed;

    Wire(String network, Agent here) {
      this.network = network;
      this.here = here;
    }

    private void transmit(Runnable arrival) {
      if (cut.contains(network)) {
        held.add(arrival);
        return;
      }
      long delay = delays.getOrDefault(network, MILLI);
      lastNanos = Math.max(lastNanos, nowNanos + delay + random.nextLong(1 + delay / 20));
      at(lastNanos, arrival);
    }

    private void release() {
      List<Runnable> arrivals = List.copyOf(held);
      held.clear();
      arrivals.forEach(this::transmit);
    }

    @Override
    public void send(PeerMessage message) {
      Wire other = far;
      if (closed || other == null) {
        return;
      }
      sent.merge(message.getClass().getSimpleName(), 1, Integer::sum);
      io.treecast.proto.v1.ControlFrame frame = codec.encode(message);
      transmit(() -> other.arrive(frame));
    }

    private void arrive(io.treecast.proto.v1.ControlFrame frame) {
      if (!closed) {
        try {
          PeerMessage message = codec.decode(frame);
          here.paths.at(nowNanos);
          here.paths.received(this, message);
        } catch (WireViolation e) {
          throw new AssertionError(e);
        }
      }
    }

    @Override
    public void close() {
      Wire other = far;
      if (!closed && other != null) {
        transmit(() -> other.end("closed by the other end"));
      }
      closed = true;
    }

    void end(String reason) {
      if (!closed) {
        closed = true;
        here.paths.at(nowNanos);
        here.paths.closed(this, reason);
      }
    }

    @Override
    public void identified(NodeId peer) {}

    @Override
    public String remoteAddress() {
      return network;
    }
  }

  /** One of the two: a driver below, and what stands for the core above. */
  final class Agent implements Transport, Paths.Events {
    final Hello hello;
    final Paths paths;
    final List<Long> heard = new ArrayList<>();
    final List<String> ends = new ArrayList<>();
    @Nullable Connection<PeerMessage> stream;
    long said;
    long lastReceivedNanos;
    long longestSilenceNanos;
    int losses;

    Agent(String id, String address) {
      this.hello = new Hello(NodeId.of(id), 1, address);
      this.paths = new Paths(hello, 10_000 * MILLI, this, this);
    }

    @Override
    public Connection<PeerMessage> dialControl(String address) {
      Agent there = this == one ? other : one;
      Wire near = new Wire(address, this);
      wires.add(near);
      if (refusing.contains(address)) {
        at(nowNanos + MILLI, () -> near.end("connection refused"));
        return near;
      }
      Wire far = new Wire(address, there);
      wires.add(far);
      near.far = far;
      far.far = near;
      near.transmit(
          () -> {
            there.paths.at(nowNanos);
            there.paths.accepted(far);
          });
      return near;
    }

    @Override
    public Connection<DataMessage> dialData(String address) {
      throw new AssertionError("no data is sent");
    }

    void dial(String address) {
      paths.at(nowNanos);
      Connection<PeerMessage> dialed = paths.dialControl(address);
      stream = dialed;
      dialed.send(hello);
    }

    @Override
    public void accepted(Connection<PeerMessage> accepted) {}

    @Override
    public void received(Connection<PeerMessage> from, PeerMessage message) {
      if (message instanceof Hello && this == one) {
        lastReceivedNanos = nowNanos;
        speak();
      } else if (message instanceof Hello) {
        ends.clear();
        stream = from; // The dialer has given up the one before, if there was one.
        from.send(hello);
      } else if (message instanceof ShortcutAck numbered) {
        if (this == other && heard.isEmpty()) {
          lastReceivedNanos = nowNanos;
          speak();
        }
        longestSilenceNanos = Math.max(longestSilenceNanos, nowNanos - lastReceivedNanos);
        lastReceivedNanos = nowNanos;
        heard.add(numbered.bytes());
      } else {
        throw new AssertionError("the core gets " + message);
      }
    }

    private void speak() {
      Connection<PeerMessage> to = stream;
      if (to == null || !ends.isEmpty() || isQuiet) {
        return;
      }
      paths.at(nowNanos);
      to.send(new ShortcutAck(++said));
      if (nowNanos - lastReceivedNanos >= DOUBT_NANOS) {
        to.suspected();
      }
      at(nowNanos + SAID_EVERY_NANOS, this::speak);
    }

    @Override
    public void closed(Connection<PeerMessage> from, String reason) {
      if (from == stream) {
        ends.add(reason);
      }
    }

    @Override
    public void pathsChanged(Connection<PeerMessage> of, boolean isLoss) {
      losses += isLoss ? 1 : 0;
    }

    int paths() {
      Connection<PeerMessage> of = stream;
      return of == null ? 0 : of.paths().size();
    }

    @Nullable String network() {
      Connection<PeerMessage> of = stream;
      return of == null ? null : of.network();
    }
  }

  private final Random random;
  private final PriorityQueue<Event> events =
      new PriorityQueue<>(
          (a, b) ->
              a.dueNanos == b.dueNanos
                  ? Long.compare(a.number, b.number)
                  : Long.compare(a.dueNanos, b.dueNanos));
  private final List<Wire> wires = new ArrayList<>();
  private final Set<String> cut = new TreeSet<>();
  private final Map<String, Long> delays = new LinkedHashMap<>();
  final Set<String> refusing = new TreeSet<>();
  final Map<String, Integer> sent = new TreeMap<>();
  final Agent one;
  final Agent other;
  private long nextNumber;
  long nowNanos;
  boolean isQuiet;

  /** The second agent has these addresses; a network has the name of its address. */
  TwoAgents(long seed, String... networks) {
    this.random = new Random(seed);
    Map<String, String> addresses = new LinkedHashMap<>();
    for (String network : networks) {
      addresses.put(network, address(network));
    }
    this.one = new Agent("a", "one:1");
    this.other =
        new Agent(
            "b", networks.length == 1 ? address(networks[0]) : NetworkAddresses.text(addresses));
  }

  static String address(String network) {
    return network + ":1";
  }

  void delay(String network, long nanos) {
    delays.put(address(network), nanos);
  }

  void cut(String network) {
    cut.add(address(network));
  }

  void heal(String network) {
    cut.remove(address(network));
    wires.stream().filter(wire -> wire.network.equals(address(network))).forEach(Wire::release);
    wires.removeIf(wire -> wire.closed && wire.held.isEmpty());
  }

  /** Ends the connections of a network, at both ends. */
  void reset(String network) {
    for (Wire wire : List.copyOf(wires)) {
      if (wire.network.equals(address(network))) {
        wire.held.clear();
        at(nowNanos + random.nextLong(MILLI), () -> wire.end("connection reset"));
      }
    }
  }

  void at(long dueNanos, Runnable action) {
    events.add(new Event(dueNanos, nextNumber++, action));
  }

  /** Returns whether the condition came true in that time. */
  boolean runUntil(BooleanSupplier condition, long millis) {
    long end = nowNanos + millis * MILLI;
    while (!condition.getAsBoolean()) {
      Event next = events.peek();
      long ticks = Math.min(one.paths.nextDeadlineNanos(), other.paths.nextDeadlineNanos());
      long due = Math.min(next == null ? Long.MAX_VALUE : next.dueNanos, ticks);
      if (due > end) {
        nowNanos = end;
        return condition.getAsBoolean();
      }
      nowNanos = Math.max(nowNanos, due);
      if (next != null && next.dueNanos <= ticks) {
        events.remove();
        next.action.run();
      } else {
        for (Agent agent : List.of(one, other)) {
          agent.paths.at(nowNanos);
          agent.paths.tick();
        }
      }
    }
    return true;
  }

  void run(long millis) {
    runUntil(() -> false, millis);
  }
}
