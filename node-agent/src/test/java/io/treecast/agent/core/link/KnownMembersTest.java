package io.treecast.agent.core.link;

import static org.assertj.core.api.Assertions.assertThat;

import io.treecast.agent.core.contract.TreeChange;
import io.treecast.agent.core.message.AnnouncedMember;
import io.treecast.agent.core.message.Member;
import io.treecast.agent.core.message.Membership;
import io.treecast.agent.core.message.PeerMessage.Goodbye;
import io.treecast.ghs.LinkWeight;
import io.treecast.ghs.NodeId;
import io.treecast.mst.CommittedTree;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Agent {@code m} knows other members. Times are in milliseconds; the limit is 1,000. */
class KnownMembersTest {
  private static final long MILLI = 1_000_000;
  private static final long LIMIT_MILLIS = 1_000;
  private static final NodeId A = NodeId.of("a");
  private static final NodeId B = NodeId.of("b");

  private final TreeSet<NodeId> linked = new TreeSet<>();
  private final KnownMembers known =
      new KnownMembers(member(NodeId.of("m"), "m:1"), "here", LIMIT_MILLIS * MILLI, linked);

  private @Nullable CommittedTree tree;

  private static Member member(NodeId id, String address) {
    return new Member(id, address);
  }

  private boolean learn(NodeId id, long absentMillis, long atMillis) {
    return known.learn(
        new AnnouncedMember(member(id, id + ":1"), 1, absentMillis), atMillis * MILLI);
  }

  private boolean learn(NodeId id, String address, long incarnation) {
    return known.learn(new AnnouncedMember(member(id, address), incarnation, 0), 0);
  }

  /** A tree of m and these is committed. */
  private void commit(long atMillis, NodeId... others) {
    List<LinkWeight> edges =
        Arrays.stream(others).map(id -> LinkWeight.between(NodeId.of("m"), id, 7)).toList();
    CommittedTree next =
        new CommittedTree(tree == null ? 1 : tree.version() + 1, NodeId.of("m"), edges);
    known.treeChanged(TreeChange.between(tree, next, Set.of(), 0, 0), atMillis * MILLI);
    tree = next;
  }

  private List<NodeId> expired(long atMillis) {
    return known.expired(atMillis * MILLI).stream().map(Member::id).toList();
  }

  private long absentMillis(NodeId id, long atMillis) {
    List<Member> one = List.of(member(id, id + ":1"));
    return known.announce(one, atMillis * MILLI).members().get(0).absentMillis();
  }

  private List<NodeId> news() {
    return known.takeChanges().stream().map(Member::id).toList();
  }

  @Test
  void a_member_that_nobody_hears_of_is_due_to_be_forgotten_at_the_limit_and_not_before() {
    learn(A, 0, 50);
    assertThat(expired(1_049)).isEmpty();
    assertThat(expired(1_050)).containsExactly(A);
  }

  @Test
  void the_deadline_is_that_of_the_member_that_is_due_next() {
    assertThat(known.nextDeadlineNanos()).isEqualTo(Long.MAX_VALUE);
    learn(A, 100, 200);
    assertThat(known.nextDeadlineNanos()).isEqualTo(1_100 * MILLI);
    learn(B, 400, 200);
    assertThat(known.nextDeadlineNanos()).isEqualTo(800 * MILLI);
    assertThat(expired(800)).containsExactly(B);
    known.forget(B);
    assertThat(known.nextDeadlineNanos()).isEqualTo(1_100 * MILLI);
  }

  @Test
  void a_member_that_was_told_of_has_the_age_that_was_told_and_grows_older() {
    learn(A, 300, 50);
    assertThat(absentMillis(A, 50)).isEqualTo(300);
    assertThat(absentMillis(A, 90)).isEqualTo(340);
  }

  @Test
  void the_least_announced_age_counts() {
    learn(A, 300, 0);
    learn(A, 200, 0);
    learn(A, 900, 0);
    assertThat(absentMillis(A, 0)).isEqualTo(200);
  }

  @Test
  void a_member_announced_as_absent_for_the_limit_is_not_learned() {
    assertThat(learn(A, LIMIT_MILLIS, 0)).isFalse();
    assertThat(learn(A, Long.MAX_VALUE, 0)).isFalse();
    assertThat(known.all()).isEmpty();
    assertThat(learn(A, LIMIT_MILLIS - 1, 0)).isTrue();
  }

  @Test
  void a_member_in_the_committed_tree_has_no_age_and_is_never_due() {
    learn(A, 900, 0);
    commit(50, A);
    assertThat(absentMillis(A, 70_000)).isZero();
    assertThat(expired(70_000)).isEmpty();
  }

  @Test
  void a_member_grows_older_from_when_a_tree_without_it_was_committed() {
    learn(A, 0, 0);
    learn(B, 0, 0);
    commit(50, A, B);
    commit(70_000, B);
    assertThat(absentMillis(A, 70_300)).isEqualTo(300);
    assertThat(expired(70_999)).isEmpty();
    assertThat(expired(71_000)).containsExactly(A);
  }

  @Test
  void a_member_that_is_linked_has_no_age_and_grows_older_from_when_it_was_heard_last() {
    learn(A, 0, 0);
    linked.add(A);
    assertThat(absentMillis(A, 70_000)).isZero();
    assertThat(expired(70_000)).isEmpty();
    known.contacted(A, 70_000 * MILLI);
    linked.remove(A);
    assertThat(absentMillis(A, 70_300)).isEqualTo(300);
    assertThat(expired(71_000)).containsExactly(A);
  }

  @Test
  void forgetting_a_member_removes_it_from_the_digest() {
    long before = known.digest();
    learn(A, 0, 0);
    assertThat(known.digest()).isNotEqualTo(before);
    known.forget(A);
    assertThat(known.ids()).isEmpty();
    assertThat(known.hasChanges()).isFalse();
    assertThat(known.digest()).isEqualTo(before);
    assertThat(expired(5_000)).isEmpty();
  }

  @Test
  void a_member_is_news_when_it_becomes_known_and_not_when_it_is_announced_again() {
    learn(A, 0, 0);
    assertThat(news()).containsExactly(A);
    learn(A, 0, 10);
    commit(400, A);
    commit(5_000);
    learn(A, 0, 5_100);
    assertThat(news()).isEmpty();
  }

  @Test
  void a_member_that_is_back_after_half_the_limit_is_news_since_others_may_have_forgotten_it() {
    learn(A, 0, 0);
    learn(B, 0, 0);
    news();
    learn(A, 0, 500);
    assertThat(news()).isEmpty();
    learn(A, 0, 1_001);
    assertThat(news()).containsExactly(A);
    commit(1_010, A, B);
    assertThat(news()).containsExactly(B);
  }

  @Test
  void the_address_of_the_latest_life_counts_and_is_news() {
    learn(A, "old:1", 7);
    news();
    assertThat(learn(A, "new:1", 8)).isTrue();
    assertThat(news()).containsExactly(A);
    assertThat(learn(A, "old:1", 7)).isFalse();
    assertThat(learn(A, "new:1", 8)).isFalse();
    assertThat(known.all()).containsExactly(member(A, "new:1"));
    assertThat(news()).isEmpty();
  }

  @Test
  void one_that_is_in_the_tree_may_have_moved_all_the_same() {
    learn(A, "old:1", 7);
    commit(50, A);
    assertThat(learn(A, "new:1", 8)).isTrue();
    assertThat(known.all()).containsExactly(member(A, "new:1"));
  }

  @Test
  void a_later_incarnation_at_the_same_address_is_not_news() {
    learn(A, "a:1", 7);
    news();
    assertThat(learn(A, "a:1", 8)).isFalse();
    assertThat(news()).isEmpty();
    assertThat(known.announce(List.of(member(A, "a:1")), 0).members().get(0).incarnation())
        .isEqualTo(8);
  }

  @Test
  void a_members_own_announcement_counts_even_if_its_clock_went_back() {
    learn(A, "old:1", 7);
    assertThat(known.introduced(member(A, "new:1"), 6, null, 0)).isTrue();
    assertThat(known.all()).containsExactly(member(A, "new:1"));
  }

  @Test
  void the_site_of_a_later_incarnation_is_news_and_is_announced() {
    Member a = member(A, "a:1");
    known.learn(new AnnouncedMember(a, 7, 0, "east"), 0);
    assertThat(known.site(A)).isEqualTo("east");
    news();
    known.learn(new AnnouncedMember(a, 7, 0, "west"), 0);
    assertThat(known.site(A)).isEqualTo("east");
    assertThat(news()).isEmpty();

    assertThat(known.learn(new AnnouncedMember(a, 8, 0, "west"), 0)).as("moved").isFalse();
    assertThat(news()).containsExactly(A);
    assertThat(known.announce(List.of(a, known.self()), 0).members())
        .extracting(AnnouncedMember::site)
        .containsExactly("west", "here");

    known.introduced(a, 9, null, 0);
    assertThat(known.site(A)).isNull();
    assertThat(news()).containsExactly(A);
    known.introduced(a, 10, "west", 0);
    known.forget(A);
    assertThat(known.site(A)).isNull();
  }

  @Test
  void known_members_are_still_updated_where_there_is_no_room_for_more() {
    for (int i = 0; i < 2 * Membership.MAX_MEMBERS; i++) {
      learn(NodeId.of("n" + i), 10, 0);
    }
    assertThat(known.clusterSize()).isEqualTo(Membership.MAX_MEMBERS);
    learn(NodeId.of("n7"), 0, 500);
    assertThat(absentMillis(NodeId.of("n7"), 500)).isZero();
  }

  @Test
  void an_agent_does_not_learn_of_itself() {
    assertThat(learn(NodeId.of("m"), 0, 0)).isFalse();
    assertThat(known.clusterSize()).isEqualTo(1);
    assertThat(absentMillis(NodeId.of("m"), 5_000)).isZero();
  }

  /** Somebody tells that a member said goodbye; returns who is to be forgotten for that. */
  private List<NodeId> learnGoodbyes(NodeId id, long incarnation, long agoMillis, long atMillis) {
    return known.learnGoodbyes(List.of(new Goodbye(id, incarnation, agoMillis)), atMillis * MILLI);
  }

  private List<Goodbye> goodbyes(long atMillis) {
    return known.announce(List.of(), atMillis * MILLI).goodbyes();
  }

  @Test
  void a_member_that_has_left_is_learned_again_only_in_a_later_incarnation_or_from_itself() {
    learn(A, "a:1", 5);
    known.left(A, 5, 0);
    known.forget(A);
    assertThat(learn(A, "a:1", 5)).isFalse();
    assertThat(learn(A, "a:1", 4)).isFalse();
    assertThat(known.ids()).isEmpty();
    assertThat(learn(A, "a:1", 6)).isTrue();
    known.left(B, 5, 0);
    assertThat(known.introduced(member(B, "b:1"), 3, null, 0)).isTrue();
    assertThat(known.ids()).containsExactly(A, B);
    assertThat(goodbyes(0)).as("b has come back").containsExactly(new Goodbye(A, 5, 0));
  }

  @Test
  void goodbyes_are_announced_with_their_age_until_the_limit() {
    known.left(A, 5, 100 * MILLI);
    assertThat(learnGoodbyes(B, 7, 300, 400)).as("not known").isEmpty();
    assertThat(goodbyes(600)).containsExactly(new Goodbye(A, 5, 500), new Goodbye(B, 7, 500));
    assertThat(learnGoodbyes(A, 5, 0, 700)).isEmpty();
    assertThat(goodbyes(1_099)).as("as of the first that told").hasSize(2);
    assertThat(goodbyes(1_100)).isEmpty();
    assertThat(learnGoodbyes(B, 7, LIMIT_MILLIS, 1_200)).isEmpty();
    assertThat(learnGoodbyes(B, 7, Long.MAX_VALUE, 1_200)).isEmpty();
    assertThat(goodbyes(1_200)).isEmpty();
  }

  @Test
  void a_member_announced_as_left_is_forgotten_unless_linked_or_in_a_later_incarnation() {
    learn(A, "a:1", 5);
    learn(B, "b:1", 5);
    assertThat(learnGoodbyes(A, 4, 0, 0)).isEmpty();
    assertThat(learnGoodbyes(A, 5, 0, 0)).containsExactly(A);
    linked.add(B);
    assertThat(learnGoodbyes(B, 5, 0, 0)).isEmpty();
    assertThat(known.hasLeft(B, 5)).as("for when the link ends").isTrue();
    assertThat(known.hasLeft(B, 6)).isFalse();
    assertThat(learnGoodbyes(NodeId.of("m"), 9, 0, 0)).as("of this agent").isEmpty();
    assertThat(goodbyes(0)).extracting(Goodbye::node).containsExactly(A, B);
  }

  @Test
  void goodbyes_are_bounded_and_the_oldest_go() {
    for (int i = 0; i <= Goodbyes.MAX_KEPT; i++) {
      known.left(NodeId.of("x" + i), 1, 0);
    }
    assertThat(goodbyes(0)).hasSize(Goodbyes.MAX_KEPT);
    assertThat(known.hasLeft(NodeId.of("x0"), 1)).isFalse();
  }
}
