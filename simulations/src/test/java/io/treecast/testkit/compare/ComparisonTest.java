package io.treecast.testkit.compare;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.treecast.testkit.network.BroadcastShape;
import io.treecast.testkit.network.BroadcastTimes;
import io.treecast.testkit.network.NodeSites;
import io.treecast.testkit.network.RandomGraphs;
import io.treecast.testkit.network.ReferenceNetwork;
import io.treecast.testkit.network.Topology;
import io.treecast.testkit.network.Topology.Link;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The algorithms compared with Treecast behave as published. */
class ComparisonTest {
  private final Topology reference = ReferenceNetwork.topology();

  /** The numbers that do not depend on the order of messages equal the published ones. */
  @Test
  void the_automaton_of_1983_builds_with_the_published_messages() {
    Cost build = PaperBuild.of(reference);

    assertThat(build.messagesByType())
        .containsEntry("Initiate", 72L)
        .containsEntry("Accept", 48L)
        .containsEntry("Connect", 32L)
        .containsEntry("Report", 72L)
        .containsEntry("Gosleep", 23L);
    assertThat(build.messages()).isBetween(780L, 815L);
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5})
  void a_flood_takes_as_many_copies_as_when_each_is_followed(long seed) {
    Topology network = RandomGraphs.sparse(30, 4, seed);
    long followed = 0;
    long lastNanos = 0;
    for (int origin = 0; origin < network.nodes(); origin++) {
      long[] flood = follow(network, origin);
      followed += flood[0];
      lastNanos = Math.max(lastNanos, flood[1]);
    }

    Cost build = LinkState.build(network);
    assertThat(build.messages()).isEqualTo(followed);
    assertThat(build.millis()).isEqualTo(lastNanos / 1e6);
  }

  /** A copy in flight. */
  private record Copy(long atNanos, int from, int to) {}

  /** Returns the number of copies, and the time at which the last node has one. */
  private static long[] follow(Topology network, int origin) {
    PriorityQueue<Copy> underWay = new PriorityQueue<>(Comparator.comparingLong(Copy::atNanos));
    Map<Integer, Set<Integer>> heardFrom = new HashMap<>();
    Map<Integer, Long> reached = new HashMap<>();
    underWay.add(new Copy(0, origin, origin));
    long sent = 0;
    while (!underWay.isEmpty()) {
      // Of copies that arrive at the same time, all are received before any is forwarded.
      List<Copy> now = new ArrayList<>();
      now.add(underWay.remove());
      while (!underWay.isEmpty() && underWay.peek().atNanos() == now.get(0).atNanos()) {
        now.add(underWay.remove());
      }
      List<Integer> fresh = new ArrayList<>();
      for (Copy copy : now) {
        heardFrom.computeIfAbsent(copy.to(), node -> new HashSet<>()).add(copy.from());
        if (reached.putIfAbsent(copy.to(), copy.atNanos()) == null) {
          fresh.add(copy.to());
        }
      }
      for (int node : fresh) {
        for (int neighbour : network.neighbours(node)) {
          if (!heardFrom.getOrDefault(node, Set.of()).contains(neighbour)) {
            sent++;
            long oneWayNanos = network.rttMicros(node, neighbour) * 500;
            underWay.add(new Copy(now.get(0).atNanos() + oneWayNanos, node, neighbour));
          }
        }
      }
    }
    return new long[] {sent, reached.values().stream().mapToLong(at -> at).max().orElse(0)};
  }

  @Test
  void an_advertisement_has_24_bytes_and_12_for_each_link() {
    Topology two = Topology.of(2, List.of(new Link(0, 1, 10_000)));

    Cost change = LinkState.change(two, two.links());

    assertThat(change.messages()).isEqualTo(1);
    assertThat(change.bytes()).isEqualTo(24 + 12);
    assertThat(change.millis()).isEqualTo(5);
  }

  @Test
  void without_a_cost_of_sends_the_shape_determines_the_time() {
    for (int source = 0; source < reference.nodes(); source++) {
      BroadcastShape shape = BroadcastShape.binomial(reference, source);
      assertThat(new BlockingSends(reference, shape, 0).lastNanos(1))
          .isEqualTo(new BroadcastTimes(reference).lastNanos(shape));
    }
  }

  @Test
  void a_source_begins_the_next_broadcast_after_its_last_copy() {
    Topology line = Topology.of(3, List.of(new Link(0, 1, 10_000), new Link(1, 2, 20_000)));
    BroadcastShape shape = BroadcastShape.alongTree(3, line.links(), 0);
    BlockingSends sends = new BlockingSends(line, shape, 1_000_000);

    // 1 ms to send and 5 ms on the way, twice 1 ms and 10 ms.
    assertThat(sends.lastNanos(1)).isEqualTo(17_000_000);
    assertThat(sends.lastNanos(3)).isEqualTo(19_000_000);
  }

  @Test
  void a_coordinator_of_each_site_passes_on_the_copy_of_the_source() {
    NodeSites sites = NodeSites.ofSize(24, ReferenceNetwork.SITE_SIZE);
    BroadcastShape shape = BroadcastShape.twoLevel(reference, sites::siteOf, 13);

    assertThat(shape.reachedCount()).isEqualTo(24);
    assertThat(shape.copiesBetweenSites(sites::siteOf)).isEqualTo(5);
    assertThat(shape.sender(0)).isEqualTo(13);
    assertThat(shape.sender(12)).isEqualTo(13);
    assertThat(shape.sender(7)).isEqualTo(4);
  }

  @Test
  void a_static_tree_stays_and_others_follow_a_change() {
    Topology changed =
        Topology.of(
            24,
            reference.links().stream()
                .map(
                    link ->
                        link.low() == 12 && link.high() == 16 ? new Link(12, 16, 5_000_000) : link)
                .toList());
    Comparison comparison =
        new Comparison(
            List.of(reference, changed), NodeSites.ofSize(24, 4), ReferenceNetwork.SOURCE, 1, 0);

    Comparison.Row still = comparison.row(Algorithm.STATIC_MST);
    Comparison.Row follows = comparison.row(Algorithm.LINK_STATE);
    assertThat(still.firstMillis()).isEqualTo(follows.firstMillis());
    assertThat(still.lastMillis()).isGreaterThan(2_500);
    assertThat(follows.lastMillis()).isLessThan(400);
    assertThat(follows.changes().messages()).isPositive();
    assertThat(still.changes().messages()).isZero();
  }

  @Test
  void sites_are_found_where_round_trips_grow_the_most() {
    NodeSites found = NodeSites.found(reference);

    assertThat(found.count()).isEqualTo(6);
    for (int node = 0; node < 24; node++) {
      assertThat(found.siteOf(node)).isEqualTo(node / ReferenceNetwork.SITE_SIZE);
    }
    Topology even = Topology.of(3, List.of(new Link(0, 1, 10), new Link(1, 2, 20)));
    assertThat(NodeSites.found(even).count()).isEqualTo(1);
  }

  @Test
  void an_algorithm_is_known_by_its_name_only() {
    assertThat(Algorithm.labels().stream().map(Algorithm::of)).containsExactly(Algorithm.values());
    assertThatExceptionOfType(IllegalArgumentException.class)
        .isThrownBy(() -> Algorithm.of("star"));
  }
}
