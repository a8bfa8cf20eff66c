package io.treecast.agent.core.link;

import static org.assertj.core.api.Assertions.assertThat;

import io.treecast.agent.core.contract.LinkPurpose;
import io.treecast.agent.core.message.Nearby;
import io.treecast.agent.core.settings.OverlayLimits;
import io.treecast.ghs.LinkWeight;
import io.treecast.ghs.NodeId;
import io.treecast.mst.CommittedTree;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/**
 * Which links one agent wants. Its name is {@code n0}; the others are {@code n1} to {@code n40}.
 */
class NeighbourhoodTest {
  private static final int OTHERS = 40;
  private static final int NEAREST = 3;
  private static final int RANDOM = 2;
  private static final long SEARCH_NANOS = 10_000_000_000L;
  private static final Duration TRIAL_INTERVAL = Duration.ofSeconds(10);
  private static final OverlayLimits LIMITS =
      new OverlayLimits(4, NEAREST, RANDOM, 20, TRIAL_INTERVAL, 3);
  private static final NodeId SELF = id(0);

  private final Neighbourhood neighbourhood = new Neighbourhood(SELF, LIMITS, SEARCH_NANOS);
  private final Set<NodeId> known = ids(1, OTHERS);
  private final Set<NodeId> linked = new TreeSet<>();
  private @Nullable CommittedTree tree = path(OTHERS);
  private long nowNanos;

  private static NodeId id(int number) {
    return NodeId.of("n" + number);
  }

  private static Set<NodeId> ids(int first, int last) {
    Set<NodeId> ids = new LinkedHashSet<>();
    IntStream.rangeClosed(first, last).forEach(n -> ids.add(id(n)));
    return ids;
  }

  /** Returns the tree n0 - n1 - n2 ... */
  private static CommittedTree path(int last) {
    List<LinkWeight> edges = new ArrayList<>();
    for (int n = 1; n <= last; n++) {
      edges.add(LinkWeight.between(id(n - 1), id(n), 1_000));
    }
    return new CommittedTree(1, SELF, edges);
  }

  private void review() {
    review(Neighbourhood.MAX_TRIALS);
  }

  private void review(int places) {
    neighbourhood.review(known, tree, linked, places, nowNanos);
  }

  private Set<NodeId> wanted(LinkPurpose purpose) {
    Set<NodeId> wanted = new TreeSet<>();
    neighbourhood
        .purposes()
        .forEach(
            (id, why) -> {
              if (why == purpose) {
                wanted.add(id);
              }
            });
    return wanted;
  }

  private void link(int member, long rttMicros) {
    linked.add(id(member));
    neighbourhood.measured(id(member), rttMicros);
  }

  @Test
  void the_nearest_of_those_that_were_measured_are_wanted() {
    link(1, 500);
    link(2, 100);
    link(3, 400);
    link(4, 300);
    review();
    assertThat(wanted(LinkPurpose.NEAREST)).containsExactly(id(2), id(3), id(4));

    neighbourhood.measured(id(3), 900);
    review();
    assertThat(wanted(LinkPurpose.NEAREST)).containsExactly(id(1), id(2), id(4));
  }

  @Test
  void a_near_member_whose_link_is_gone_is_wanted_still_unless_it_cannot_be_reached() {
    link(1, 100);
    linked.clear();
    neighbourhood.lost(id(1), nowNanos);
    review();
    assertThat(wanted(LinkPurpose.NEAREST)).containsExactly(id(1));

    neighbourhood.unavailable(id(1), nowNanos);
    review();
    assertThat(wanted(LinkPurpose.NEAREST)).isEmpty();

    nowNanos += Neighbourhood.UNAVAILABLE_NANOS;
    review();
    assertThat(wanted(LinkPurpose.NEAREST)).containsExactly(id(1));
  }

  @Test
  void the_random_ones_stay_the_same_and_those_that_cannot_be_reached_are_replaced() {
    review(0);
    Set<NodeId> first = wanted(LinkPurpose.RANDOM);
    assertThat(first).hasSize(RANDOM);
    review(0);
    assertThat(wanted(LinkPurpose.RANDOM)).isEqualTo(first);

    NodeId gone = first.iterator().next();
    neighbourhood.unavailable(gone, nowNanos);
    review(0);
    assertThat(wanted(LinkPurpose.RANDOM)).hasSize(RANDOM).doesNotContain(gone);
    first.remove(gone);
    assertThat(wanted(LinkPurpose.RANDOM)).containsAll(first);
  }

  @Test
  void members_as_far_from_a_neighbour_as_this_one_are_tried_first() {
    review();
    wanted(LinkPurpose.TRIAL).forEach(anybody -> neighbourhood.measured(anybody, 90_000));
    link(1, 10_000);
    link(2, 20_000);
    link(3, 30_000);
    List<Nearby> reported = new ArrayList<>();
    for (int n = 11; n <= 17; n++) {
      reported.add(new Nearby(id(n), 10_000 + n));
    }
    reported.add(new Nearby(id(20), 45_000));
    neighbourhood.reported(id(1), reported);
    review();
    Set<NodeId> firstTrials = wanted(LinkPurpose.TRIAL);
    assertThat(firstTrials).hasSizeBetween(1, Neighbourhood.MAX_TRIALS).doesNotContain(id(20));
    assertThat(new TreeSet<>(ids(11, 16))).containsAll(firstTrials);
    for (NodeId tried : firstTrials) {
      neighbourhood.measured(tried, 90_000);
    }
    review();
    assertThat(wanted(LinkPurpose.TRIAL)).doesNotContainAnyElementsOf(firstTrials);
  }

  @Test
  void
      where_neighbours_contradict_each_other_the_one_that_allows_a_member_to_be_near_is_believed() {
    link(1, 10_000);
    link(2, 20_000);
    link(3, 30_000);
    NodeId candidate = notRandom();
    neighbourhood.reported(id(1), List.of(new Nearby(candidate, 60_000)));
    review();
    assertThat(neighbourhood.purpose(candidate)).isNull();

    neighbourhood.reported(id(2), List.of(new Nearby(candidate, 21_000)));
    review();
    assertThat(neighbourhood.purpose(candidate)).isEqualTo(LinkPurpose.TRIAL);
  }

  /** Somebody who is not wanted anyway, nor tried as anybody may be. */
  private NodeId notRandom() {
    review();
    Set<NodeId> others = ids(11, OTHERS);
    others.removeAll(neighbourhood.purposes().keySet());
    return others.iterator().next();
  }

  @Test
  void the_shortest_detour_is_over_a_member_that_is_near_to_both() {
    link(1, 10_000);
    link(2, 20_000);
    link(3, 90_000);
    assertThat(neighbourhood.detourMicros(id(3))).isEqualTo(Neighbourhood.UNKNOWN);

    neighbourhood.reported(id(3), List.of(new Nearby(SELF, 90_000), new Nearby(id(4), 1)));
    assertThat(neighbourhood.detourMicros(id(3))).isEqualTo(Neighbourhood.UNKNOWN);

    neighbourhood.reported(id(3), List.of(new Nearby(id(1), 25_000), new Nearby(id(2), 11_000)));
    assertThat(neighbourhood.detourMicros(id(3))).isEqualTo(31_000);

    neighbourhood.reported(id(1), List.of(new Nearby(id(2), 5), new Nearby(id(3), 20_000)));
    assertThat(neighbourhood.detourMicros(id(3))).isEqualTo(30_000);

    neighbourhood.lost(id(1), nowNanos);
    assertThat(neighbourhood.detourMicros(id(3))).isEqualTo(31_000);
  }

  @Test
  void an_impossibly_long_detour_is_unknown() {
    link(1, 10_000);
    link(3, 90_000);
    neighbourhood.reported(id(3), List.of(new Nearby(id(1), Long.MAX_VALUE)));
    assertThat(neighbourhood.detourMicros(id(3))).isEqualTo(Neighbourhood.UNKNOWN);
  }

  @Test
  void once_in_an_interval_who_was_tried_longest_ago_is_tried_again_at_last_also_in_vain() {
    List<NodeId> tried = new ArrayList<>();
    for (int trial = 0; trial < 2 * OTHERS; trial++) {
      review();
      NodeId one = wanted(LinkPurpose.TRIAL).iterator().next();
      tried.add(one);
      if (trial % 2 == 0) {
        neighbourhood.measured(one, 90_000);
      } else {
        neighbourhood.unreached(one, nowNanos);
      }
      review();
      assertThat(wanted(LinkPurpose.TRIAL)).isEmpty();
      nowNanos += TRIAL_INTERVAL.toNanos();
    }
    int wantedAnyway = NEAREST + RANDOM;
    assertThat(new TreeSet<>(tried.subList(0, OTHERS)))
        .hasSizeGreaterThanOrEqualTo(OTHERS - wantedAnyway);
    assertThat(new TreeSet<>(tried.subList(OTHERS, 2 * OTHERS)))
        .hasSizeGreaterThanOrEqualTo(OTHERS - wantedAnyway);
  }

  @Test
  void a_member_that_is_much_nearer_when_it_is_tried_again_is_wanted() {
    for (int n = 1; n <= NEAREST; n++) {
      link(n, 100L * n);
    }
    NodeId one = notRandom();
    neighbourhood.measured(one, 50_000);
    review();
    assertThat(neighbourhood.purpose(one)).isNotEqualTo(LinkPurpose.NEAREST);
    neighbourhood.measured(one, 150);
    review();
    assertThat(neighbourhood.purpose(one)).isEqualTo(LinkPurpose.NEAREST);
  }

  @Test
  void no_trials_begin_without_room_for_them() {
    review(0);
    assertThat(wanted(LinkPurpose.TRIAL)).isEmpty();
  }

  @Test
  void every_member_that_is_in_no_tree_with_this_one_is_sought_sooner_or_later() {
    tree = path(9);
    Set<NodeId> sought = new TreeSet<>();
    for (int round = 0; round < 200; round++) {
      review(0);
      Set<NodeId> now = wanted(LinkPurpose.NON_MEMBER);
      assertThat(now).hasSizeLessThanOrEqualTo(Neighbourhood.MAX_STRANGERS);
      sought.addAll(now);
      nowNanos += SEARCH_NANOS;
    }
    assertThat(sought).containsExactlyElementsOf(ids(10, OTHERS));
  }

  @Test
  void few_members_of_a_large_tree_seek_the_same_stranger_at_once() {
    int members = 400;
    Set<NodeId> all = ids(0, members);
    CommittedTree large = path(members - 1);
    int searches = 0;
    int rounds = 20;
    for (int n = 0; n < members; n++) {
      Neighbourhood one = new Neighbourhood(id(n), LIMITS, SEARCH_NANOS);
      for (int round = 0; round < rounds; round++) {
        one.review(all, large, linked, 0, round * SEARCH_NANOS);
        searches += one.purpose(id(members)) == LinkPurpose.NON_MEMBER ? 1 : 0;
      }
    }
    assertThat(searches / (double) rounds)
        .isBetween(Neighbourhood.SEARCHERS / 2.0, Neighbourhood.SEARCHERS * 2.0);
  }

  @Test
  void strangers_are_neither_near_nor_random() {
    link(30, 10);
    tree = path(9);
    review();
    assertThat(wanted(LinkPurpose.NEAREST)).isEmpty();
    assertThat(new TreeSet<>(ids(1, 9))).containsAll(wanted(LinkPurpose.RANDOM));
  }

  @Test
  void an_agent_without_a_tree_wants_random_members_of_all_that_it_knows() {
    tree = null;
    review(0);
    assertThat(wanted(LinkPurpose.RANDOM)).hasSize(RANDOM);
    assertThat(wanted(LinkPurpose.NON_MEMBER)).isEmpty();
  }

  @Test
  void links_are_reported_when_they_have_changed_and_not_too_often() {
    link(1, 100);
    review();
    assertThat(neighbourhood.linkedVersion()).isEqualTo(1);
    assertThat(neighbourhood.linkedNearby()).containsExactly(new Nearby(id(1), 100));

    link(2, 50);
    review();
    assertThat(neighbourhood.linkedVersion()).isEqualTo(1);
    assertThat(neighbourhood.linkedNow()).hasSize(2);
    nowNanos += Neighbourhood.QUIET_TELL_NANOS;
    review();
    assertThat(neighbourhood.linkedNearby())
        .containsExactly(new Nearby(id(2), 50), new Nearby(id(1), 100));
    nowNanos += Neighbourhood.QUIET_TELL_NANOS;
    review();
    assertThat(neighbourhood.linkedVersion()).isEqualTo(2);
  }

  @Test
  void links_are_reported_sooner_while_there_are_promising_members() {
    link(1, 100);
    review();
    neighbourhood.reported(id(1), ids(20, 30).stream().map(id -> new Nearby(id, 110)).toList());
    link(2, 50);
    nowNanos += Neighbourhood.TELL_NANOS;
    review();
    assertThat(neighbourhood.linkedVersion()).isEqualTo(2);
  }
}
