package io.treecast.collectives.claim;

import static org.assertj.core.api.Assertions.assertThat;

import io.treecast.collectives.claim.ClaimEnd.Reason;
import io.treecast.ghs.NodeId;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** The life of a claim among three members whose messages arrive at once. */
class ClaimsTest {
  private static final long SECOND = 1_000_000_000L;
  private static final long LEASE_NANOS = 10 * SECOND;
  private static final long WAIT_NANOS = 100 * SECOND;
  private static final ClaimLimits LIMITS = new ClaimLimits(60 * SECOND, 2, 2);
  private static final ClaimKey KEY = key("k", false);

  private static ClaimKey key(String name, boolean isAdvisory) {
    return ClaimKey.of(name, Stream.of("a", "b", "c").map(NodeId::of).toList(), isAdvisory);
  }

  private record Held(long call, long question, long fence, long remainingNanos) {}

  private record Sent(NodeId from, NodeId to, ClaimMessage message) {}

  private final SortedMap<NodeId, Member> members = new TreeMap<>();
  private final ArrayDeque<Sent> inFlight = new ArrayDeque<>();
  private final Set<NodeId> unreachable = new TreeSet<>();
  private long nowNanos;

  private final Member a = new Member("a", new ClaimMemory(0, 0));
  private final Member b = new Member("b", new ClaimMemory(0, 0));
  private final Member c = new Member("c", new ClaimMemory(0, 0));

  /** A member that notes what it tells its callers. Its disk is written at once. */
  private final class Member implements ClaimEffects {
    final NodeId id;
    final List<Held> held = new ArrayList<>();
    final List<ClaimEnd> ended = new ArrayList<>();
    final List<ClaimState> answers = new ArrayList<>();
    final Claims claims;
    private @Nullable ClaimMemory disk;
    private @Nullable ClaimMemory toStore;
    private boolean diskIsSlow;

    Member(String name, @Nullable ClaimMemory memory) {
      id = NodeId.of(name);
      claims = new Claims(id, 1, LIMITS, memory, this);
      claims.start(nowNanos);
      members.put(id, this);
    }

    @Override
    public void send(NodeId member, ClaimMessage message) {
      inFlight.add(new Sent(id, member, message));
    }

    @Override
    public void store(ClaimMemory memory) {
      toStore = memory;
    }

    @Override
    public void held(long call, long number, long fence, long remainingNanos) {
      held.add(new Held(call, number, fence, remainingNanos));
    }

    @Override
    public void ended(long call, ClaimEnd end) {
      ended.add(end);
    }

    @Override
    public void answered(long inquiry, ClaimState state) {
      answers.add(state);
    }

    void does(Consumer<Claims> event) {
      event.accept(claims);
      if (!diskIsSlow) {
        writeDisk();
      }
    }

    void writeDisk() {
      ClaimMemory memory = toStore;
      toStore = null;
      if (memory != null) {
        disk = memory;
        does(each -> each.stored(memory, nowNanos));
      }
    }

    void acquire(long call, ClaimKey key, boolean waits) {
      does(each -> each.acquire(call, key, LEASE_NANOS, waits, WAIT_NANOS, nowNanos));
      settle();
    }

    long lastFence() {
      return held.get(held.size() - 1).fence();
    }

    ClaimState stateOf(ClaimKey key) {
      does(each -> each.inquire(answers.size() + 1, key, nowNanos));
      settle();
      if (answers.isEmpty()) {
        passTo(nowNanos + 3 * SECOND);
      }
      return answers.get(answers.size() - 1);
    }
  }

  private void settle() {
    for (Sent sent = inFlight.poll(); sent != null; sent = inFlight.poll()) {
      Sent each = sent;
      if (!unreachable.contains(each.from()) && !unreachable.contains(each.to())) {
        Objects.requireNonNull(members.get(each.to()))
            .does(claims -> claims.received(each.from(), each.message(), nowNanos));
      }
    }
  }

  /** Serves every timer that is due on the way to a time. */
  private void passTo(long nanos) {
    while (true) {
      long next =
          members.values().stream()
              .mapToLong(member -> member.claims.nextDeadlineNanos())
              .min()
              .orElseThrow();
      if (next > nanos) {
        nowNanos = nanos;
        return;
      }
      nowNanos = Math.max(nowNanos + 1, next);
      members.values().forEach(member -> member.does(claims -> claims.tick(nowNanos)));
      settle();
    }
  }

  @Test
  void the_first_call_holds_the_claim_for_less_than_its_lease() {
    a.acquire(1, KEY, true);
    assertThat(a.held).hasSize(1);
    assertThat(a.held.get(0).call()).isEqualTo(1);
    assertThat(a.held.get(0).remainingNanos())
        .isLessThan(LEASE_NANOS)
        .isGreaterThan(LEASE_NANOS * 9 / 10);
  }

  @Test
  void a_call_that_does_not_wait_ends_while_another_holds() {
    a.acquire(1, KEY, true);
    b.acquire(1, KEY, false);
    assertThat(b.held).isEmpty();
    assertThat(b.ended).extracting(ClaimEnd::reason).containsExactly(Reason.HELD);
  }

  @Test
  void waiting_calls_get_the_claim_in_the_order_of_arrival_with_rising_fences() {
    a.acquire(1, KEY, true);
    c.acquire(1, KEY, true);
    b.acquire(1, KEY, true);
    assertThat(a.stateOf(KEY).waiting()).isEqualTo(2);

    a.does(claims -> claims.release(1, nowNanos));
    settle();
    passTo(SECOND);
    assertThat(c.held).hasSize(1);
    assertThat(b.held).isEmpty();
    c.does(claims -> claims.release(1, nowNanos));
    settle();
    passTo(2 * SECOND);
    assertThat(b.held).hasSize(1);
    assertThat(List.of(a.lastFence(), c.lastFence(), b.lastFence()))
        .isSorted()
        .doesNotHaveDuplicates();
  }

  @Test
  void a_renewal_keeps_the_fence_and_moves_the_end() {
    a.acquire(1, KEY, true);
    nowNanos = LEASE_NANOS / 2;
    a.does(claims -> claims.renew(1, 1, nowNanos));
    settle();
    assertThat(a.held).hasSize(2);
    assertThat(a.held.get(1).question()).isEqualTo(1);
    assertThat(a.held.get(1).fence()).isEqualTo(a.held.get(0).fence());
    assertThat(a.held.get(1).remainingNanos()).isGreaterThan(LEASE_NANOS / 2);
  }

  @Test
  void a_holder_that_does_not_renew_loses_the_claim_before_another_gets_it() {
    a.acquire(1, KEY, true);
    b.acquire(1, KEY, true);
    passTo(LEASE_NANOS - 1);
    assertThat(a.ended).extracting(ClaimEnd::reason).containsExactly(Reason.LOST);
    assertThat(b.held).isEmpty();
    passTo(LEASE_NANOS + SECOND);
    assertThat(b.held).hasSize(1);
    assertThat(b.lastFence()).isGreaterThan(a.lastFence());
  }

  @Test
  void a_member_without_a_majority_gets_no_claim_and_says_which_members_are_silent() {
    unreachable.addAll(List.of(b.id, c.id));
    a.acquire(1, KEY, true);
    passTo(WAIT_NANOS + SECOND);
    assertThat(a.held).isEmpty();
    assertThat(a.ended)
        .containsExactly(
            new ClaimEnd(
                Reason.NO_MAJORITY,
                2,
                new TreeSet<>(Set.of(a.id)),
                new TreeMap<>(),
                new TreeSet<>(Set.of(b.id, c.id))));
  }

  @Test
  void a_member_without_a_majority_says_which_members_refused_and_why() {
    Member restarted = new Member("b", null);
    unreachable.add(c.id);
    a.does(
        claims -> claims.acquire(1, KEY, LEASE_NANOS, true, LIMITS.longestNanos() / 2, nowNanos));
    passTo(LIMITS.longestNanos() / 2);
    assertThat(a.ended)
        .containsExactly(
            new ClaimEnd(
                Reason.NO_MAJORITY,
                2,
                new TreeSet<>(Set.of(a.id)),
                new TreeMap<>(Map.of(restarted.id, RefusalCause.ABSTAINS)),
                new TreeSet<>(Set.of(c.id))));
  }

  @Test
  void an_advisory_claim_needs_a_majority_of_the_present_tree_only() {
    unreachable.addAll(List.of(b.id, c.id));
    a.does(claims -> claims.treeCommitted(Set.of(a.id), nowNanos));
    a.acquire(1, key("k", true), true);
    assertThat(a.held).hasSize(1);
  }

  @Test
  void a_call_goes_on_when_a_way_to_the_others_opens() {
    unreachable.addAll(List.of(b.id, c.id));
    a.acquire(1, KEY, true);
    passTo(5 * SECOND);
    unreachable.clear();
    a.does(claims -> claims.membersReachable(nowNanos));
    settle();
    assertThat(a.held).hasSize(1);
  }

  @Test
  void members_that_lost_their_disk_do_not_vote_while_an_earlier_vote_may_last() {
    a.acquire(1, KEY, true);
    // Both restart, and know nothing of their votes.
    Member second = new Member("b", null);
    new Member("c", null);
    second.acquire(1, KEY, true);
    passTo(LIMITS.longestNanos() - SECOND);
    assertThat(second.held).isEmpty();
    passTo(LIMITS.longestNanos() + 5 * SECOND);
    assertThat(second.held).hasSize(1);
    assertThat(second.lastFence()).isGreaterThan(a.lastFence());
  }

  @Test
  void a_member_whose_disk_is_new_abstains_at_its_first_start_only() {
    Member first = new Member("b", null);
    unreachable.add(c.id);
    a.does(each -> each.acquire(1, KEY, LEASE_NANOS, false, 3 * SECOND, nowNanos));
    settle();
    passTo(LIMITS.longestNanos() - SECOND);
    assertThat(a.ended).extracting(ClaimEnd::reason).containsExactly(Reason.NO_MAJORITY);

    passTo(LIMITS.longestNanos() + SECOND);
    new Member("b", first.disk);
    a.acquire(2, KEY, false);
    passTo(nowNanos + 6 * SECOND);
    assertThat(a.held).hasSize(1);
  }

  @Test
  void fences_rise_over_a_restart_of_all_with_their_disks() {
    a.acquire(1, KEY, true);
    Member first = new Member("a", a.disk);
    Member second = new Member("b", b.disk);
    new Member("c", c.disk);
    second.acquire(1, KEY, true);
    passTo(3 * LEASE_NANOS);
    assertThat(second.lastFence()).isGreaterThan(a.lastFence());
    assertThat(first.held).isEmpty();
  }

  @Test
  void an_inquiry_names_the_holder_its_fence_and_its_remaining_time() {
    assertThat(b.stateOf(KEY).holder()).isNull();
    a.acquire(1, KEY, true);
    nowNanos = 4 * SECOND;
    ClaimState state = b.stateOf(KEY);
    assertThat(state.isKnown()).isTrue();
    assertThat(Objects.requireNonNull(state.holder()).member()).isEqualTo(a.id);
    assertThat(state.fence()).isEqualTo(a.lastFence());
    assertThat(state.remainingNanos()).isEqualTo(LEASE_NANOS - 4 * SECOND);
  }

  @Test
  void an_inquiry_without_a_majority_ends_unknown() {
    unreachable.addAll(List.of(b.id, c.id));
    ClaimState state = a.stateOf(KEY);
    assertThat(state.isKnown()).isFalse();
    assertThat(state.answers()).isEqualTo(1);
    assertThat(state.needed()).isEqualTo(2);
  }

  @Test
  void a_longer_lease_than_members_allow_ends_the_call() {
    a.does(each -> each.acquire(1, KEY, LIMITS.longestNanos() + 1, true, WAIT_NANOS, nowNanos));
    settle();
    assertThat(a.ended).extracting(ClaimEnd::reason).containsExactly(Reason.LONG_LEASE);
  }

  @Test
  void a_call_above_the_limit_of_calls_ends_at_once() {
    a.acquire(1, key("one", false), true);
    a.acquire(2, key("two", false), true);
    a.acquire(3, KEY, true);
    assertThat(a.ended).extracting(ClaimEnd::reason).containsExactly(Reason.NO_ROOM);
  }

  @Test
  void a_claim_above_the_limit_of_members_waits_until_another_is_free() {
    a.acquire(1, key("one", false), true);
    a.acquire(2, key("two", false), true);
    b.acquire(1, KEY, true);
    passTo(SECOND);
    assertThat(b.held).isEmpty();
    a.does(claims -> claims.release(1, nowNanos));
    settle();
    passTo(30 * SECOND);
    assertThat(b.held).hasSize(1);
  }

  @Test
  void the_claim_of_a_lost_caller_stays_held_until_its_lease_ends() {
    a.acquire(1, KEY, true);
    a.does(claims -> claims.renew(1, 1, nowNanos));
    settle();
    a.does(claims -> claims.abandon(1, nowNanos));
    b.acquire(1, KEY, true);
    passTo(LEASE_NANOS - SECOND);
    assertThat(b.held).isEmpty();
    passTo(LEASE_NANOS + SECOND);
    assertThat(b.held).hasSize(1);
  }

  @Test
  void a_call_that_withdraws_in_its_turn_hands_the_turn_over_at_once() {
    Member elsewhere = new Member("d", new ClaimMemory(0, 0));
    a.acquire(1, KEY, true);
    elsewhere.acquire(1, KEY, true);
    b.acquire(1, KEY, true);
    unreachable.add(elsewhere.id); // It does not get to know that its turn has come.
    a.does(claims -> claims.release(1, nowNanos));
    settle();
    assertThat(b.held).isEmpty();

    unreachable.clear();
    elsewhere.does(claims -> claims.release(1, nowNanos));
    settle();
    assertThat(b.held).hasSize(1);
  }

  @Test
  void a_call_that_withdraws_before_its_votes_are_on_disk_gets_none() {
    members.values().forEach(member -> member.diskIsSlow = true);
    a.acquire(1, KEY, true);
    a.does(claims -> claims.release(1, nowNanos));
    settle();
    members
        .values()
        .forEach(
            member -> {
              member.diskIsSlow = false;
              member.writeDisk();
            });
    settle();
    b.acquire(1, KEY, true);
    assertThat(b.held).hasSize(1);
  }

  @Test
  void the_claim_of_a_caller_that_was_never_answered_is_free_at_once() {
    a.acquire(1, KEY, true);
    b.acquire(1, KEY, true);
    a.does(claims -> claims.abandon(1, nowNanos));
    settle();
    assertThat(b.held).hasSize(1);
  }
}
