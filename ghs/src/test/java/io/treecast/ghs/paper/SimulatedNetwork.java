package io.treecast.ghs.paper;

import io.treecast.ghs.LinkWeight;
import io.treecast.ghs.NodeId;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * A network of automata in virtual time, with the records of what they did. One thread; the same
 * topology, conditions and wake-ups give the same run.
 */
final class SimulatedNetwork {
  private static final int LOG_EVENTS = 40;

  /** How links carry messages. */
  interface Conditions {
    /** How long this message takes, in microseconds. */
    long delayMicros(NodeId from, NodeId to);

    /** Whether a message waits for those sent before it over the same link. */
    default boolean inOrder() {
      return true;
    }

    /** How often the message of this number, counted from 0 in order of sending, arrives. */
    default int copies(long number) {
      return 1;
    }
  }

  /** What a node said when it halted. */
  record Halt(NodeId node, NodeId root, int level, List<LinkWeight> branches) {}

  /** A wake-up (from and message are null), or the arrival of a message. */
  private record Event(
      long atMicros,
      long number,
      @Nullable NodeId from,
      NodeId to,
      @Nullable PaperMessage message) {
    @Override
    public String toString() {
      return from == null
          ? atMicros + "us: " + to + " wakes"
          : atMicros + "us: " + from + " -> " + to + " " + message;
    }
  }

  private record Direction(NodeId from, NodeId to) {}

  private final Conditions conditions;
  private final Map<NodeId, PaperNode> nodes = new LinkedHashMap<>();
  private final PriorityQueue<Event> events =
      new PriorityQueue<>(
          Comparator.comparingLong(Event::atMicros).thenComparingLong(Event::number));
  private final Map<Direction, Long> lastArrivals = new HashMap<>();
  private final Map<NodeId, Integer> sentBy = new HashMap<>();
  private final Map<String, Integer> sentByType = new TreeMap<>();
  private final Map<String, Integer> deferredByType = new TreeMap<>();
  private final Map<NodeId, Halt> halts = new LinkedHashMap<>();
  private final Deque<Event> log = new ArrayDeque<>();
  private long nowMicros;
  private long eventNumber;
  private long sent;

  SimulatedNetwork(Topology topology, Conditions conditions) {
    this.conditions = conditions;
    Map<NodeId, List<LinkWeight>> links = new HashMap<>();
    for (LinkWeight link : topology.links()) {
      links.computeIfAbsent(link.low(), node -> new ArrayList<>()).add(link);
      links.computeIfAbsent(link.high(), node -> new ArrayList<>()).add(link);
    }
    for (NodeId id : topology.nodes()) {
      nodes.put(id, new PaperNode(id, links.getOrDefault(id, List.of()), new Recorder(id)));
    }
  }

  void wakeAt(NodeId node, long atMicros) {
    events.add(new Event(atMicros, eventNumber++, null, node, null));
  }

  /**
   * Runs until nothing is in flight.
   *
   * @throws AssertionError if more than {@code mostMessages} are sent, or a level falls
   */
  void run(long mostMessages) {
    while (!events.isEmpty()) {
      step(events.remove());
      if (sent > mostMessages) {
        throw new AssertionError("more than " + mostMessages + " messages");
      }
    }
  }

  private void step(Event event) {
    nowMicros = event.atMicros();
    if (log.size() == LOG_EVENTS) {
      log.remove();
    }
    log.add(event);
    PaperNode node = node(event.to());
    int levelBefore = node.level();
    int deferredBefore = node.deferredCount();
    if (event.from() == null || event.message() == null) {
      node.wake();
    } else {
      node.receive(event.from(), event.message());
      if (node.deferredCount() > deferredBefore) {
        deferredByType.merge(typeOf(event.message()), 1, Integer::sum);
      }
    }
    if (node.level() < levelBefore) {
      throw new AssertionError(node + ": its level was " + levelBefore);
    }
  }

  PaperNode node(NodeId id) {
    PaperNode node = nodes.get(id);
    if (node == null) {
      throw new IllegalArgumentException("no node " + id);
    }
    return node;
  }

  /** All nodes. */
  List<PaperNode> nodes() {
    return List.copyOf(nodes.values());
  }

  /** Which nodes halted, in that order. */
  List<Halt> halts() {
    return List.copyOf(halts.values());
  }

  int sentBy(NodeId node) {
    return sentBy.getOrDefault(node, 0);
  }

  /** How many messages were sent. */
  long sent() {
    return sent;
  }

  /** How many messages of each type were sent. */
  Map<String, Integer> sentByType() {
    return sentByType;
  }

  /** How many messages of each type had to wait at their receiver. */
  Map<String, Integer> deferredByType() {
    return deferredByType;
  }

  /** The time of the last event. */
  long nowMicros() {
    return nowMicros;
  }

  /** The last events, one a line. */
  String lastEvents() {
    return log.stream().map(event -> "  " + event + "\n").collect(Collectors.joining());
  }

  private static String typeOf(PaperMessage message) {
    return message instanceof PaperMessage.Initiate initiate
        ? "Initiate " + initiate.phase()
        : message.getClass().getSimpleName();
  }

  private final class Recorder implements PaperNode.Effects {
    private final NodeId self;

    Recorder(NodeId self) {
      this.self = self;
    }

    @Override
    public void send(NodeId neighbour, PaperMessage message) {
      if (message instanceof PaperMessage.Report report
          && report.branches().size() >= nodes.size()) {
        throw new AssertionError(self + " reports more branches than a tree of all nodes has");
      }
      int copies = conditions.copies(sent);
      sent++;
      sentBy.merge(self, 1, Integer::sum);
      sentByType.merge(typeOf(message), 1, Integer::sum);
      for (int i = 0; i < copies; i++) {
        long arrival = nowMicros + conditions.delayMicros(self, neighbour);
        if (conditions.inOrder()) {
          arrival = lastArrivals.merge(new Direction(self, neighbour), arrival, Math::max);
        }
        events.add(new Event(arrival, eventNumber++, self, neighbour, message));
      }
    }

    @Override
    public void halted(NodeId root, int level, List<LinkWeight> branches) {
      Halt earlier = halts.put(self, new Halt(self, root, level, branches));
      if (earlier != null) {
        throw new AssertionError(self + " halted twice");
      }
    }
  }
}
