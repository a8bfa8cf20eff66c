package io.treecast.ghs.paper;

import io.treecast.ghs.LinkWeight;
import io.treecast.ghs.NodeId;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;

/**
 * Replays a story: a text with a network, commands, and what the nodes do after each.
 *
 * <pre>
 * # A line of the tale.
 * link a-b 10            a link and its round-trip time in microseconds
 * node c                 a node without links
 * &gt; wake a               wakes a node
 * &gt; deliver a-&gt;b          delivers the oldest message in flight from a to b
 * &gt; deliver all          delivers everything, oldest first, until nothing is in flight
 * &gt; end                  compares the branches with the oracles and counts the messages
 *   ...                  indented: what happened; the replay writes these lines anew
 * </pre>
 */
final class GoldenTrace {
  private record InFlight(long number, NodeId from, NodeId to, PaperMessage message) {
    @Override
    public String toString() {
      return from + "->" + to + " " + MessageText.of(message);
    }
  }

  private final List<String> out = new ArrayList<>();
  private final TreeSet<NodeId> ids = new TreeSet<>();
  private final List<LinkWeight> links = new ArrayList<>();
  private final Map<NodeId, PaperNode> nodes = new LinkedHashMap<>();
  private final Map<String, Deque<InFlight>> inFlight = new TreeMap<>();
  private final Map<String, Integer> sentByType = new TreeMap<>();
  private long sent;

  private GoldenTrace() {}

  /**
   * The same story with what the nodes do now.
   *
   * @throws IllegalArgumentException if a line is not understood, with its number
   */
  static String replay(String story) {
    GoldenTrace trace = new GoldenTrace();
    int number = 0;
    for (String line : story.lines().toList()) {
      number++;
      if (!line.startsWith(" ")) {
        trace.out.add(line);
        try {
          trace.perform(line);
        } catch (RuntimeException e) {
          throw new IllegalArgumentException("line " + number + ": " + line, e);
        }
      }
    }
    return String.join("\n", trace.out) + "\n";
  }

  private void perform(String line) {
    List<String> words = List.of(line.split(" +", -1));
    if (line.isEmpty() || line.startsWith("#")) {
      return;
    }
    if (words.get(0).equals("node")) {
      ids.add(NodeId.of(words.get(1)));
    } else if (words.get(0).equals("link")) {
      List<NodeId> ends = nodeIds(words.get(1), "-");
      ids.addAll(ends);
      links.add(LinkWeight.between(ends.get(0), ends.get(1), Long.parseLong(words.get(2))));
    } else if (line.startsWith("> ")) {
      if (nodes.isEmpty()) {
        ids.forEach(id -> nodes.put(id, createNode(id)));
      }
      command(words.get(1), words.subList(2, words.size()));
    } else {
      throw new IllegalArgumentException("neither link, node, > command nor # comment");
    }
  }

  private void command(String verb, List<String> arguments) {
    if (verb.equals("wake")) {
      PaperNode node = node(NodeId.of(arguments.get(0)));
      node.wake();
      out.add("  " + node);
    } else if (verb.equals("deliver") && arguments.equals(List.of("all"))) {
      while (!inFlight.isEmpty()) {
        deliver(
            inFlight.values().stream()
                .map(Deque::element)
                .min(Comparator.comparingLong(InFlight::number))
                .orElseThrow());
      }
      nodes.values().forEach(node -> out.add("  " + node));
    } else if (verb.equals("deliver")) {
      Deque<InFlight> queue = inFlight.get(arguments.get(0));
      if (queue == null) {
        throw new IllegalArgumentException("in flight is only " + inFlight.values());
      }
      out.add("  " + deliver(queue.element()));
    } else if (verb.equals("end")) {
      end();
    } else {
      throw new IllegalArgumentException("no such command");
    }
  }

  private PaperNode deliver(InFlight next) {
    inFlight.computeIfPresent(
        next.from() + "->" + next.to(),
        (direction, queue) -> {
          queue.remove();
          return queue.isEmpty() ? null : queue;
        });
    out.add("  " + next);
    PaperNode node = node(next.to());
    int waitedBefore = node.deferredCount();
    node.receive(next.from(), next.message());
    if (node.deferredCount() > waitedBefore) {
      out.add("    it waits");
    }
    return node;
  }

  private void end() {
    TreeSet<LinkWeight> branches = new TreeSet<>();
    nodes.values().forEach(node -> branches.addAll(node.branches()));
    List<LinkWeight> oracle =
        new Topology(List.copyOf(ids), links)
            .minimumSpanningForest().edges().stream().map(edge -> edge.weight()).toList();
    out.add("  in flight: " + (inFlight.isEmpty() ? "nothing" : inFlight.values()));
    out.add("  branches: " + branches);
    out.add("  minimum spanning forest: " + oracle);
    out.add(
        sentByType.entrySet().stream()
            .map(count -> count.getValue() + " " + count.getKey())
            .collect(Collectors.joining(", ", "  messages: ", "")));
    if (!List.copyOf(branches).equals(oracle)) {
      throw new AssertionError("the branches " + branches + " are not the forest " + oracle);
    }
  }

  private PaperNode createNode(NodeId self) {
    return new PaperNode(
        self,
        links.stream().filter(link -> link.touches(self)).toList(),
        new PaperNode.Effects() {
          @Override
          public void send(NodeId neighbour, PaperMessage message) {
            InFlight next = new InFlight(sent++, self, neighbour, message);
            inFlight.computeIfAbsent(self + "->" + neighbour, d -> new ArrayDeque<>()).add(next);
            sentByType.merge(message.getClass().getSimpleName(), 1, Integer::sum);
            out.add("    " + self + " sends " + neighbour + " " + MessageText.of(message));
          }

          @Override
          public void halted(NodeId root, int level, List<LinkWeight> branches) {
            out.add("    " + self + " halts: root " + root + ", level " + level + ", " + branches);
          }
        });
  }

  private PaperNode node(NodeId id) {
    PaperNode node = nodes.get(id);
    if (node == null) {
      throw new IllegalArgumentException("no node " + id);
    }
    return node;
  }

  private static List<NodeId> nodeIds(String text, String separator) {
    return List.of(text.split(separator, -1)).stream().map(NodeId::of).toList();
  }
}
