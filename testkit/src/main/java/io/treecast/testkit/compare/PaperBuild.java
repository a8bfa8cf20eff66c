package io.treecast.testkit.compare;

import io.treecast.ghs.LinkWeight;
import io.treecast.ghs.NodeId;
import io.treecast.ghs.paper.PaperMessage;
import io.treecast.ghs.paper.PaperNode;
import io.treecast.testkit.network.Topology;
import io.treecast.testkit.network.Topology.Link;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.PriorityQueue;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Construction of a tree by the automaton of 1983 in virtual time: all nodes wake at once, each
 * message takes half its link's round trip, and processing takes no time. Deterministic. For one
 * use by one thread.
 */
public final class PaperBuild {
  /**
   * The message by which the root announces the complete tree. The paper of 1983 does not have it;
   * the name is that of the evaluation of 2006.
   */
  public static final String END = "Gosleep";

  private record Event(
      long atNanos,
      long number,
      @Nullable NodeId from,
      NodeId to,
      @Nullable PaperMessage message) {}

  private final Topology network;
  private final SortedMap<Integer, PaperNode> nodes = new TreeMap<>();
  private final PriorityQueue<Event> events =
      new PriorityQueue<>(
          Comparator.comparingLong(Event::atNanos).thenComparingLong(Event::number));
  private final SortedMap<String, Long> sent = new TreeMap<>();
  private long nowNanos;
  private long numbers;

  private PaperBuild(Topology network) {
    this.network = network;
    Map<Integer, List<LinkWeight>> links = new HashMap<>();
    for (Link link : network.links()) {
      LinkWeight weight = MinimumTree.weight(link);
      links.computeIfAbsent(link.low(), node -> new ArrayList<>()).add(weight);
      links.computeIfAbsent(link.high(), node -> new ArrayList<>()).add(weight);
    }
    for (int node = 0; node < network.nodes(); node++) {
      NodeId id = MinimumTree.id(node);
      nodes.put(node, new PaperNode(id, links.getOrDefault(node, List.of()), new Sending(id)));
      events.add(new Event(0, numbers++, null, id, null));
    }
  }

  /**
   * Builds the tree, or a tree for each component. The messages are those of the paper, and {@value
   * #END} for each edge of the tree.
   */
  public static Cost of(Topology network) {
    return new PaperBuild(network).run();
  }

  private Cost run() {
    for (Event event = events.poll(); event != null; event = events.poll()) {
      nowNanos = event.atNanos;
      PaperNode node = Objects.requireNonNull(nodes.get(MinimumTree.number(event.to)), "node");
      if (event.from == null || event.message == null) {
        node.wake();
      } else {
        node.receive(event.from, event.message);
      }
    }
    long edges = nodes.values().stream().mapToLong(node -> node.branches().size()).sum() / 2;
    if (edges > 0) {
      sent.put(END, edges);
    }
    return new Cost(sent, 0, nowNanos / 1e6);
  }

  private final class Sending implements PaperNode.Effects {
    private final NodeId self;

    Sending(NodeId self) {
      this.self = self;
    }

    @Override
    public void send(NodeId neighbour, PaperMessage message) {
      sent.merge(message.kind().label(), 1L, Long::sum);
      long oneWayNanos =
          network.rttMicros(MinimumTree.number(self), MinimumTree.number(neighbour)) * 500;
      events.add(new Event(nowNanos + oneWayNanos, numbers++, self, neighbour, message));
    }

    @Override
    public void halted(NodeId root, int level, List<LinkWeight> branches) {
      // The run ends by itself once no message is in flight.
    }
  }
}
