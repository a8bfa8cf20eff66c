package io.treecast.ghs;

import static org.assertj.core.api.Assertions.assertThat;

import io.treecast.oracle.SpanningForest;
import io.treecast.oracle.WeightedEdge;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * GHS with epochs on its own, with the simplest {@link Member keeper}, on random networks. The
 * order of messages and events is a function of the seed. The sweeps of {@code mst-adapt} go
 * further: they also change weights, crash nodes, and certify.
 */
@Tag("seeded")
class FragmentsTest {
  private static final long SEEDS = 75 * Long.getLong("treecast.seeds.times", 1);

  private record Direction(NodeId from, NodeId to) implements Comparable<Direction> {
    @Override
    public int compareTo(Direction other) {
      int bySender = from.compareTo(other.from);
      return bySender != 0 ? bySender : to.compareTo(other.to);
    }
  }

  /** One run. */
  private static final class Run {
    final Topology topology;
    final Random random;
    final Map<NodeId, Member> members = new TreeMap<>();
    final Map<Direction, Deque<TreeMessage>> inFlight = new TreeMap<>();
    final Set<LinkWeight> up = new TreeSet<>();
    final Map<LinkWeight, Long> sessions = new TreeMap<>();
    final Set<String> sent = new TreeSet<>();

    Run(long seed) {
      random = new Random(new SplittableRandom(seed).nextLong());
      TopologyFamily[] families = TopologyFamily.values();
      topology = families[(int) (seed % families.length)].draw(random);
      topology.nodes().forEach(id -> members.put(id, new Member(id, 0, this::put)));
      topology.links().forEach(this::linkUp);
    }

    private void put(NodeId from, NodeId to, TreeMessage message) {
      sent.add(message.type());
      inFlight.computeIfAbsent(new Direction(from, to), d -> new ArrayDeque<>()).add(message);
    }

    private Member member(NodeId id) {
      return members.computeIfAbsent(
          id,
          unknown -> {
            throw new IllegalArgumentException("no member " + unknown);
          });
    }

    void linkUp(LinkWeight link) {
      if (up.add(link)) {
        long session = sessions.merge(link, 1L, Long::sum);
        member(link.low()).linkUp(link.high(), session, link);
        member(link.high()).linkUp(link.low(), session, link);
      }
    }

    void linkDown(LinkWeight link, boolean looksDead) {
      if (up.remove(link)) {
        inFlight.remove(new Direction(link.low(), link.high()));
        inFlight.remove(new Direction(link.high(), link.low()));
        member(link.low()).linkDown(link.high(), looksDead);
        member(link.high()).linkDown(link.low(), looksDead);
      }
    }

    void startAll() {
      members.values().forEach(Member::start);
    }

    /** Delivers the oldest message of a random direction, until there is none. */
    void deliver(long most) throws TreeViolation {
      for (long i = 0; i < most && !inFlight.isEmpty(); i++) {
        List<Direction> directions = List.copyOf(inFlight.keySet());
        Direction next = directions.get(random.nextInt(directions.size()));
        Deque<TreeMessage> queue = inFlight.getOrDefault(next, new ArrayDeque<>());
        TreeMessage message = queue.remove();
        if (queue.isEmpty()) {
          inFlight.remove(next);
        }
        member(next.to()).receive(next.from(), message);
      }
    }

    void deliverAll() throws TreeViolation {
      deliver(1_000_000);
      assertThat(inFlight).as("messages that never end").isEmpty();
    }

    LinkWeight anyLink() {
      return topology.links().get(random.nextInt(topology.links().size()));
    }

    /** Every component is one fragment with one root, whose tree all members know. */
    void verifyComponents(String seed) {
      SpanningForest<NodeId, LinkWeight> forest =
          new Topology(topology.nodes(), List.copyOf(up)).minimumSpanningForest();
      for (Set<NodeId> component : forest.components()) {
        List<Member> all = component.stream().map(this::member).toList();
        assertThat(all).as(seed).allMatch(Member::isComplete);
        assertThat(all).as(seed).filteredOn(member -> member.ghs.parent() == null).hasSize(1);
        assertThat(all.stream().map(member -> member.ghs.round()).distinct()).hasSize(1);
        for (Member member : all) {
          FragmentMap tree = member.tree();
          assertThat(tree).isNotNull();
          assertThat(tree.members()).as(seed).containsExactlyInAnyOrderElementsOf(component);
          assertThat(tree.isSpanningTree()).as(seed).isTrue();
          assertThat(tree.history()).as(seed).isEqualTo(new Member.Answers(component.size()));
          assertThat(member.ghs.waitingToJoin()).as(seed).isEmpty();
        }
      }
    }

    /** The edges of all trees. */
    Set<LinkWeight> edges() {
      return members.values().stream()
          .flatMap(member -> member.tree() == null ? null : member.tree().edges().stream())
          .collect(Collectors.toCollection(TreeSet::new));
    }
  }

  @Test
  void fragments_become_the_minimum_spanning_forest() throws TreeViolation {
    for (long seed = 0; seed < SEEDS; seed++) {
      Run run = new Run(seed);
      run.startAll();
      run.deliverAll();

      run.verifyComponents("seed " + seed);
      assertThat(run.edges())
          .as("seed %d", seed)
          .isEqualTo(
              run.topology.minimumSpanningForest().edges().stream()
                  .map(WeightedEdge::weight)
                  .collect(Collectors.toSet()));
    }
  }

  @Test
  void fragments_join_again_whatever_is_lost_and_whenever() throws TreeViolation {
    Set<String> sent = new TreeSet<>();
    for (long seed = 0; seed < SEEDS; seed++) {
      Run run = new Run(seed);
      run.startAll();
      for (int i = 0; i < 12 && !run.topology.links().isEmpty(); i++) {
        run.deliver(run.random.nextInt(60));
        LinkWeight link = run.anyLink();
        if (run.up.contains(link)) {
          run.linkDown(link, run.random.nextInt(3) == 0);
        } else {
          run.linkUp(link);
        }
      }
      run.deliverAll();

      run.verifyComponents("seed " + seed);
      sent.addAll(run.sent);
    }
    assertThat(sent)
        .contains("Hello", "Initiate", "Report", "ChangeRoot", "Connect")
        .contains("Nack", "Cancel", "Decline", "Wake");
  }
}
