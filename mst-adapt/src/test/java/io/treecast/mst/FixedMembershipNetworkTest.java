package io.treecast.mst;

import static org.assertj.core.api.Assertions.assertThat;

import io.treecast.ghs.LinkWeight;
import io.treecast.ghs.NodeId;
import io.treecast.oracle.Boruvka;
import io.treecast.oracle.KruskalByJGraphT;
import io.treecast.oracle.SpanningForest;
import io.treecast.oracle.WeightedEdge;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Whole networks under a random scheduler, FIFO for each direction of a link: measured at random
 * times, so that neighbours wake long before each other.
 *
 * <p>{@code -Dtreecast.seed=17} runs that one only, {@code -Dtreecast.seeds=10000} that many.
 */
@Tag("seeded")
class FixedMembershipNetworkTest {
  private static final long DEFAULT_SEEDS = 1_000;

  private final TreeMap<NodeId, FixedMembershipTree> nodes = new TreeMap<>();
  private final TreeMap<NodeId, List<LinkWeight>> links = new TreeMap<>();

  /** What is under way, by sender and receiver. */
  private final TreeMap<String, ArrayDeque<Runnable>> queues = new TreeMap<>();

  private final Map<NodeId, CommittedTree> committed = new TreeMap<>();
  private int commits;
  private int messages;

  @Test
  void every_component_ends_with_one_minimal_tree_announced_by_one_commit_for_each_edge() {
    Long only = Long.getLong("treecast.seed");
    long first = only == null ? 0 : only;
    long end = only == null ? Long.getLong("treecast.seeds", DEFAULT_SEEDS) : only + 1;
    for (long seed = first; seed < end; seed++) {
      new FixedMembershipNetworkTest().run(seed);
    }
  }

  private void run(long seed) {
    Random random = new Random(seed);
    List<LinkWeight> all = randomLinks(1 + random.nextInt(24), random);
    nodes.replaceAll((id, unused) -> node(id));
    nodes.forEach((id, node) -> node.start());
    for (LinkWeight link : all) {
      // Both ends learn of the weight, the owner first, at a random time.
      queue(link.low(), link.high(), "measure " + link)
          .add(
              () -> {
                measured(link.low(), link);
                send(link.low(), link.high(), () -> measured(link.high(), link));
              });
    }
    drain(random);

    SpanningForest<NodeId, LinkWeight> forest = forest(all);
    assertThat(new Boruvka().of(nodes.keySet(), edges(all))).isEqualTo(forest);
    for (Set<NodeId> component : forest.components()) {
      Set<LinkWeight> minimal = new TreeSet<>();
      forest.edges().stream()
          .map(WeightedEdge::weight)
          .filter(edge -> component.contains(edge.low()))
          .forEach(minimal::add);
      CommittedTree tree = committed.get(component.iterator().next());
      assertThat(tree).as("seed %d", seed).isNotNull();
      assertThat(tree.edges()).as("seed %d", seed).containsExactlyElementsOf(minimal);
      assertThat(tree.members()).as("seed %d", seed).containsExactlyInAnyOrderElementsOf(component);
      for (NodeId member : component) {
        assertThat(committed.get(member)).as("seed %d: %s", seed, member).isEqualTo(tree);
        FixedMembershipTree node = nodes.get(member);
        assertThat(node).isNotNull();
        assertThat(node.status().ready()).as("seed %d: %s", seed, member).isTrue();
      }
    }
    assertThat(commits)
        .as("seed %d: N-1 for each component", seed)
        .isEqualTo(forest.edges().size());
    int n = nodes.size();
    double bound = 5 * n * Math.log(Math.max(2, n)) / Math.log(2) + 2 * all.size();
    assertThat(messages).as("seed %d", seed).isLessThanOrEqualTo((int) bound);
  }

  /** Any graph: often disconnected, with many equal weights. */
  private List<LinkWeight> randomLinks(int count, Random random) {
    double density = random.nextDouble() * random.nextDouble();
    int maxWeight = 1 + random.nextInt(random.nextBoolean() ? 3 : 1_000);
    List<LinkWeight> all = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      NodeId id = NodeId.of("n" + i);
      links.put(id, new ArrayList<>());
      nodes.put(id, new FixedMembershipTree(id, 0, new Recording(id)));
      for (int j = 0; j < i; j++) {
        if (random.nextDouble() < density) {
          all.add(LinkWeight.between(id, NodeId.of("n" + j), 1 + random.nextInt(maxWeight)));
        }
      }
    }
    for (LinkWeight link : all) {
      links.computeIfAbsent(link.low(), id -> new ArrayList<>()).add(link);
      links.computeIfAbsent(link.high(), id -> new ArrayList<>()).add(link);
    }
    return all;
  }

  private FixedMembershipTree node(NodeId id) {
    return new FixedMembershipTree(id, linksOf(id).size(), new Recording(id));
  }

  private List<LinkWeight> linksOf(NodeId id) {
    return links.getOrDefault(id, List.of());
  }

  private FixedMembershipTree nodeOf(NodeId id) {
    FixedMembershipTree node = nodes.get(id);
    if (node == null) {
      throw new AssertionError("no node " + id);
    }
    return node;
  }

  private void measured(NodeId id, LinkWeight link) {
    FixedMembershipTree node = nodeOf(id);
    node.linkMeasured(link);
    if (node.allLinksMeasured()) {
      for (LinkWeight each : linksOf(id)) {
        NodeId neighbour = each.opposite(id);
        send(id, neighbour, () -> nodeOf(neighbour).neighbourMeasured(id));
      }
      node.weightsFinal();
    }
  }

  private final class Recording implements TreeProtocol.Effects {
    private final NodeId self;

    Recording(NodeId self) {
      this.self = self;
    }

    @Override
    public void send(NodeId neighbour, TreeMessage message) {
      if (message instanceof TreeMessage.Commit) {
        commits++;
      } else {
        messages++;
      }
      FixedMembershipNetworkTest.this.send(
          self,
          neighbour,
          () -> {
            try {
              nodeOf(neighbour).receive(self, message);
            } catch (TreeViolation violation) {
              throw new AssertionError(violation);
            }
          });
    }

    @Override
    public void committed(CommittedTree tree) {
      assertThat(committed.put(self, tree)).as("committed once").isNull();
    }
  }

  private ArrayDeque<Runnable> queue(NodeId from, NodeId to, String kind) {
    return queues.computeIfAbsent(from + " > " + to + " " + kind, key -> new ArrayDeque<>());
  }

  private void send(NodeId from, NodeId to, Runnable arrival) {
    queue(from, to, "").add(arrival);
  }

  private void drain(Random random) {
    List<String> keys = new ArrayList<>(queues.keySet());
    while (!keys.isEmpty()) {
      String key = keys.get(random.nextInt(keys.size()));
      ArrayDeque<Runnable> queue = queues.get(key);
      Runnable next = queue == null ? null : queue.poll();
      if (next != null) {
        next.run();
      } else {
        queues.remove(key);
        keys = new ArrayList<>(queues.keySet());
      }
    }
  }

  private SpanningForest<NodeId, LinkWeight> forest(List<LinkWeight> all) {
    return new KruskalByJGraphT().of(nodes.keySet(), edges(all));
  }

  private static List<WeightedEdge<NodeId, LinkWeight>> edges(List<LinkWeight> all) {
    return all.stream().map(w -> new WeightedEdge<>(w.low(), w.high(), w)).toList();
  }
}
