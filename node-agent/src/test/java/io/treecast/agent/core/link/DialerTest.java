package io.treecast.agent.core.link;

import static org.assertj.core.api.Assertions.assertThat;

import io.treecast.agent.core.message.Member;
import io.treecast.agent.core.message.Membership;
import io.treecast.agent.core.settings.LinkLimits;
import io.treecast.ghs.NodeId;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class DialerTest {
  private static final LinkLimits LIMITS = LinkLimits.DEFAULT;
  private static final NodeId SELF = NodeId.of("m");

  private boolean isPresent = true;
  private final Dialer.Cluster cluster =
      new Dialer.Cluster() {
        @Override
        public int size() {
          return 3;
        }

        @Override
        public boolean isPresent(NodeId id) {
          return isPresent;
        }

        @Override
        public boolean isAlone() {
          return false;
        }
      };

  private final Dialer dialer = new Dialer(SELF, LIMITS, cluster);

  private List<Dialer.Target> due(long nowNanos) {
    return dialer.due(nowNanos, id -> false);
  }

  @Test
  void a_seed_is_dialed_at_once_and_not_again_while_it_is_being_dialed() {
    dialer.addSeed("s:1", 5);
    assertThat(dialer.nextDeadlineNanos(id -> false)).isEqualTo(5);
    assertThat(due(5)).hasSize(1);
    assertThat(due(Long.MAX_VALUE)).isEmpty();
    assertThat(dialer.nextDeadlineNanos(id -> false)).isEqualTo(Long.MAX_VALUE);
  }

  @Test
  void pauses_between_vain_dials_double_up_to_a_bound_give_or_take_a_quarter() {
    dialer.addSeed("s:1", 0);
    List<Long> pauses = new ArrayList<>();
    long now = 0;
    for (int i = 0; i < 20; i++) {
      Dialer.Target target = due(now).get(0);
      dialer.failed(target, now);
      long next = dialer.nextDeadlineNanos(id -> false);
      pauses.add(next - now);
      now = next;
    }
    long expected = LIMITS.redialMinNanos();
    for (long pause : pauses) {
      assertThat(pause).isBetween(expected - expected / 4, expected + expected / 4);
      expected = Math.min(2 * expected, LIMITS.redialMaxNanos());
    }
    // A pause that doubles and is spread by a quarter still grows until it reaches its bound.
    assertThat(pauses.subList(0, 6)).isSorted();
    assertThat(pauses.get(19)).isGreaterThan(LIMITS.redialMaxNanos() / 2);
  }

  @Test
  void agents_that_failed_together_do_not_return_together() {
    List<Long> deadlines = new ArrayList<>();
    for (int i = 0; i < 10; i++) {
      Dialer other = new Dialer(NodeId.of("n" + i), LIMITS, cluster);
      other.addSeed("s:1", 0);
      other.failed(other.due(0, id -> false).get(0), 0);
      deadlines.add(other.nextDeadlineNanos(id -> false));
    }
    assertThat(deadlines.stream().distinct().count()).isGreaterThan(5);
  }

  @Test
  void a_member_that_others_told_of_is_dialed_at_once() {
    dialer.addMember(new Member(NodeId.of("a"), "a:1"), 0);
    assertThat(due(0)).extracting(target -> target.address).containsExactly("a:1");
  }

  @Test
  void the_lower_of_two_neighbours_dials_at_once_and_the_higher_after_a_grace() {
    dialer.addNeighbour(new Member(NodeId.of("z"), "z:1"), 0);
    dialer.addNeighbour(new Member(NodeId.of("a"), "a:1"), 0);
    assertThat(due(0)).extracting(target -> target.address).containsExactly("z:1");
    assertThat(due(LIMITS.higherEndGraceNanos() - 1)).isEmpty();
    assertThat(due(LIMITS.higherEndGraceNanos()))
        .extracting(target -> target.address)
        .containsExactly("a:1");
  }

  @Test
  void a_linked_member_is_not_dialed_at_any_address() {
    dialer.addSeed("s:1", 0);
    dialer.addMember(new Member(NodeId.of("z"), "z:1"), 0);
    dialer.identified(due(0).get(0), NodeId.of("z"), true);
    dialer.failed(dialer.targets().iterator().next(), 0);
    assertThat(dialer.due(Long.MAX_VALUE, id -> id.equals(NodeId.of("z")))).isEmpty();
  }

  /** Links to the node, lets the link live for so long, and says after which pause it is dialed. */
  private long pauseAfterLink(long openNanos) {
    long linkedNanos = dialer.nextDeadlineNanos(id -> false);
    Dialer.Target target = due(linkedNanos).get(0);
    dialer.identified(target, NodeId.of("z"), true);
    dialer.linked(target, 0);
    long lostNanos = linkedNanos + Math.min(openNanos, 2 * LIMITS.redialMaxNanos());
    dialer.lost(NodeId.of("z"), openNanos, lostNanos);
    return dialer.nextDeadlineNanos(id -> false) - lostNanos;
  }

  @Test
  void a_lost_link_is_dialed_again_after_the_shortest_pause() {
    dialer.addSeed("s:1", 0);
    assertThat(pauseAfterLink(1_000))
        .isBetween(LIMITS.redialMinNanos() * 3 / 4, LIMITS.redialMinNanos() * 5 / 4);
  }

  @Test
  void links_that_are_lost_soon_after_the_handshake_are_dialed_after_pauses_that_double() {
    dialer.addSeed("s:1", 0);
    long expected = LIMITS.redialMinNanos();
    for (int i = 0; i < 20; i++) {
      assertThat(pauseAfterLink(2 * LIMITS.redialMaxNanos() - 1))
          .isBetween(expected - expected / 4, expected + expected / 4);
      expected = Math.min(2 * expected, LIMITS.redialMaxNanos());
    }
  }

  @ParameterizedTest
  @ValueSource(longs = {20_000_000_000L, Long.MAX_VALUE})
  void after_a_link_that_has_lasted_or_was_ended_on_purpose_the_pause_is_short(long openNanos) {
    dialer.addSeed("s:1", 0);
    for (int i = 0; i < 5; i++) {
      assertThat(pauseAfterLink(0)).isPositive();
    }
    assertThat(pauseAfterLink(openNanos))
        .isBetween(LIMITS.redialMinNanos() * 3 / 4, LIMITS.redialMinNanos() * 5 / 4);
  }

  @Test
  void a_seed_is_silent_from_its_first_failure_until_its_first_word() {
    dialer.addSeed("s:1", 0);
    Dialer.Target target = due(0).get(0);
    assertThat(target.silent()).isFalse();
    dialer.failed(target, 0);
    assertThat(target.silent()).isTrue();
    dialer.answered(target);
    assertThat(target.silent()).isFalse();
  }

  @Test
  void a_forgotten_member_is_not_dialed_except_at_the_address_of_a_seed() {
    NodeId gone = NodeId.of("z");
    dialer.addSeed("s:1", 0);
    dialer.addMember(new Member(gone, "z:1"), 0);
    Dialer.Target seed = dialer.targets().iterator().next();
    dialer.identified(seed, gone, true);
    dialer.forget(gone);
    assertThat(dialer.targets()).containsExactly(seed);
    assertThat(dialer.due(0, id -> true)).containsExactly(seed);
  }

  @Test
  void a_member_that_has_moved_is_dialed_at_its_new_address_and_at_its_seed_only() {
    NodeId moving = NodeId.of("z");
    dialer.addSeed("s:1", 0);
    dialer.identified(dialer.targets().iterator().next(), moving, true);
    dialer.addMember(new Member(NodeId.of("y"), "y:1"), 0);
    for (int i = 1; i <= 3; i++) {
      dialer.moved(new Member(moving, "z:" + i), 0);
    }

    assertThat(dialer.targets())
        .extracting(target -> target.address)
        .containsExactly("s:1", "y:1", "z:3");
    assertThat(due(0)).extracting(target -> target.address).containsExactly("s:1", "y:1", "z:3");
  }

  @Test
  void gossip_of_ever_more_members_stops_at_a_limit() {
    for (int i = 0; i < 3 * Membership.MAX_MEMBERS; i++) {
      dialer.addMember(new Member(NodeId.of("n" + i), "n:" + i), 0);
    }
    assertThat(dialer.targets()).hasSize(2 * Membership.MAX_MEMBERS);
  }

  @Test
  void addresses_from_hearsay_are_dialed_at_a_bounded_rate() {
    for (int i = 0; i < 2_000; i++) {
      dialer.addMember(new Member(NodeId.of("n" + i), "n:" + i), 0);
    }
    int dials = 0;
    for (long now = 0; now <= 10_000_000_000L; now = dialer.nextDeadlineNanos(id -> false)) {
      dials += due(now).size();
    }
    assertThat(dials).isBetween(100, 64 + 100);
  }

  @Test
  void an_address_from_hearsay_that_never_answers_is_dialed_ever_less_often() {
    isPresent = false;
    dialer.addMember(new Member(NodeId.of("n"), "n:1"), 0);
    long day = 86_400_000_000_000L;
    int dials = 0;
    for (long now = 0; now <= day; now = dialer.nextDeadlineNanos(id -> false)) {
      for (Dialer.Target target : due(now)) {
        dials++;
        dialer.failed(target, now);
      }
    }
    assertThat(dials).isLessThan(200);

    isPresent = true;
    dialer.changed();
    assertThat(dialer.nextDeadlineNanos(id -> false))
        .as("of a member that others are linked with")
        .isLessThan(day + 2 * LIMITS.redialMaxNanos());
  }
}
