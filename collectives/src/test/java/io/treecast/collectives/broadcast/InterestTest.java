package io.treecast.collectives.broadcast;

import static io.treecast.collectives.broadcast.Examples.A;
import static io.treecast.collectives.broadcast.Examples.B;
import static io.treecast.collectives.broadcast.Examples.C;
import static io.treecast.collectives.broadcast.Examples.FIRST_START;
import static io.treecast.collectives.broadcast.Examples.SELF;
import static io.treecast.collectives.broadcast.Examples.SMALL;
import static io.treecast.collectives.broadcast.Examples.bytes;
import static io.treecast.collectives.broadcast.Examples.nodes;
import static io.treecast.collectives.broadcast.Examples.open;
import static io.treecast.collectives.broadcast.Examples.receive;
import static io.treecast.collectives.broadcast.Examples.relayThatHeardNothing;
import static io.treecast.collectives.broadcast.Examples.star;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.treecast.collectives.broadcast.contract.BroadcastRefusedException;
import io.treecast.collectives.broadcast.contract.BroadcastRefusedException.Reason;
import io.treecast.collectives.broadcast.contract.SubscribeOptions;
import io.treecast.collectives.broadcast.contract.SubscriptionStart;
import io.treecast.collectives.broadcast.contract.TopicUse;
import io.treecast.collectives.broadcast.message.Chunk;
import io.treecast.collectives.broadcast.message.EdgeMessage.Have;
import io.treecast.collectives.broadcast.message.EdgeMessage.Interest;
import io.treecast.collectives.broadcast.message.EdgeMessage.InterestKnown;
import io.treecast.collectives.broadcast.message.Gap;
import io.treecast.collectives.broadcast.message.MessageId;
import io.treecast.collectives.broadcast.message.Position;
import io.treecast.collectives.broadcast.message.StreamId;
import io.treecast.collectives.broadcast.message.StreamPosition;
import io.treecast.collectives.broadcast.message.Topic;
import io.treecast.collectives.broadcast.stability.Stability;
import io.treecast.collectives.broadcast.topic.Interests.InterestState;
import io.treecast.ghs.NodeId;
import io.treecast.mst.CommittedTree;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** The topics that a member wants from its neighbours, and its treatment of theirs. */
class InterestTest {
  private final RecordingEffects effects = new RecordingEffects();

  private static void wants(BroadcastRelay relay, NodeId neighbour, String... topics) {
    relay.received(neighbour, new Interest(1, 1, List.of(topics), List.of(), false, true));
  }

  private static void wantsNoMore(BroadcastRelay relay, NodeId neighbour, String topic) {
    relay.received(neighbour, new Interest(1, 2, List.of(), List.of(topic), false, true));
  }

  private static void asks(
      BroadcastRelay relay, NodeId neighbour, long tree, long number, String... topics) {
    relay.received(neighbour, new Interest(tree, number, List.of(topics), List.of(), true, true));
  }

  private static void knows(
      BroadcastRelay relay, NodeId neighbour, long number, StreamPosition... ends) {
    relay.received(neighbour, new InterestKnown(number, List.of(ends), true));
  }

  private static void subscribe(BroadcastRelay relay, long name, String... topics) {
    try {
      relay.subscribe(name, SubscribeOptions.defaults().withTopics(Set.of(topics)));
    } catch (BroadcastRefusedException refused) {
      throw new AssertionError(refused);
    }
  }

  private static StreamId stream(NodeId origin, String topic) {
    return new StreamId(origin, FIRST_START, topic);
  }

  private static Chunk message(NodeId origin, String topic, long sequence, String text) {
    return new Chunk(new MessageId(stream(origin, topic), sequence), 0, true, 1, bytes(text));
  }

  private List<String> takeInterest() {
    return effects.take().stream()
        .filter(line -> line.startsWith("interest") || line.startsWith("known"))
        .toList();
  }

  @Test
  void a_leaf_reports_at_once_that_it_wants_nothing() {
    BroadcastRelay relay = new BroadcastRelay(SELF, FIRST_START, SMALL, effects);
    relay.treeCommitted(star(A));
    relay.activeEdges(nodes(A));
    open(relay, A);

    assertThat(takeInterest()).containsExactly("interest to a of v1:");
  }

  @Test
  void each_neighbour_gets_the_interests_of_the_others_when_all_have_reported() {
    BroadcastRelay relay = relayThatHeardNothing(SMALL, effects, A, B, C);

    wants(relay, A, "t");
    assertThat(takeInterest()).isEmpty();
    wants(relay, B, "t", "u");
    assertThat(takeInterest()).containsExactly("interest to c of v1: +t +u");
    wants(relay, C);
    assertThat(takeInterest())
        .containsExactly("interest to a of v1: +t +u", "interest to b of v1: +t");
  }

  @Test
  void only_differences_are_reported() {
    BroadcastRelay relay = relayThatHeardNothing(SMALL, effects, A, B);
    wants(relay, A, "t");
    wants(relay, B);
    effects.take();

    subscribe(relay, 1, "t");
    assertThat(takeInterest())
        .containsExactly("interest to a of v1: +t asks 3", "interest to b of v1: asks 4");
    relay.unsubscribe(1);
    assertThat(takeInterest()).containsExactly("interest to a of v1: -t");
    wantsNoMore(relay, A, "t");
    assertThat(takeInterest()).containsExactly("interest to b of v1: -t");
  }

  @Test
  void content_lacked_only_by_a_member_that_no_longer_wants_the_topic_is_stable() {
    BroadcastRelay relay = relayThatHeardNothing(SMALL, effects, A);
    wants(relay, A, "t");
    subscribe(relay, 1, "t");
    Position end = new Position(2, 0);
    relay.received(A, new Have(1, List.of(new StreamPosition(stream(A, "t"), end)), false, 0));
    relay.tick(0);
    assertThat(effects.take()).noneMatch(line -> line.startsWith("stable"));

    relay.unsubscribe(1);
    relay.tick(Stability.INTERVAL_NANOS);

    assertThat(effects.take()).contains("stable to a of v1: a2.0");
  }

  @Test
  void a_topic_is_sent_where_it_is_wanted_and_nowhere_else() throws BroadcastRefusedException {
    BroadcastRelay relay = relayThatHeardNothing(SMALL, effects, A, B);
    wants(relay, A, "t");
    wants(relay, B);
    effects.take();

    relay.publish("t", bytes("x"), 0, null);
    receive(relay, B, message(C, "t", 1, "y"));
    receive(relay, A, message(C, "u", 1, "z"));
    assertThat(effects.takeFlow())
        .containsExactly("send to a: self1.0 'x' last", "send to a: c1.0 'y' last");

    wantsNoMore(relay, A, "t");
    relay.publish("t", bytes("w"), 0, null);
    assertThat(effects.takeFlow()).isEmpty();
  }

  @Test
  void a_newly_wanted_topic_comes_from_the_log_in_its_order() throws BroadcastRefusedException {
    BroadcastRelay relay = relayThatHeardNothing(SMALL, effects, A, B);
    wants(relay, A, "t");
    relay.publish("t", bytes("x"), 0, null);
    relay.publish("t", bytes("y"), 0, null);
    effects.take();

    wants(relay, B, "t");
    assertThat(effects.takeFlow())
        .containsExactly("send to b: self1.0 'x' last", "send to b: self2.0 'y' last");
  }

  @Test
  void a_member_reports_its_positions_before_its_interest_in_a_topic() {
    BroadcastRelay relay = relayThatHeardNothing(SMALL, effects, A);
    receive(relay, A, message(C, "t", 1, "x"));
    effects.take();

    subscribe(relay, 1, "t");
    assertThat(effects.take())
        .containsExactly("digest to a: c2.0 ...", "interest to a of v1: +t asks 2");
  }

  @Test
  void a_subscription_is_in_place_when_all_members_know_it() {
    BroadcastRelay relay = relayThatHeardNothing(SMALL, effects, A, B);
    wants(relay, A);
    wants(relay, B);

    subscribe(relay, 1, "t");
    assertThat(effects.begun()).isEmpty();
    knows(relay, A, 3);
    assertThat(effects.begun()).isEmpty();
    knows(relay, B, 4);
    assertThat(effects.begun()).containsExactly(1L);
  }

  @Test
  void a_subscription_to_the_default_topic_waits_until_members_have_said_where_streams_end() {
    BroadcastRelay relay = relayThatHeardNothing(SMALL, effects, A, B);
    wants(relay, A);
    wants(relay, B);
    effects.take();

    subscribe(relay, 1, Topic.DEFAULT);
    assertThat(takeInterest())
        .containsExactly(
            "interest to a of v1: default topic asks 3",
            "interest to b of v1: default topic asks 4");
    knows(relay, A, 3, new StreamPosition(stream(C, ""), new Position(3, 0)));
    assertThat(effects.begun()).isEmpty();
    knows(relay, B, 4);
    assertThat(effects.begun()).containsExactly(1L);

    receive(relay, A, message(C, "", 1, "x"));
    receive(relay, A, message(C, "", 2, "y"));
    receive(relay, A, message(C, "", 3, "z"));
    receive(relay, A, message(B, "", 1, "w"));
    assertThat(effects.take().stream().filter(line -> line.startsWith("deliver")))
        .containsExactly("deliver to s1: c3.0 'z' last", "deliver to s1: b1.0 'w' last");
  }

  @Test
  void the_ends_of_the_default_topic_are_asked_for_once_in_each_tree() {
    BroadcastRelay relay = relayThatHeardNothing(SMALL, effects, A);
    wants(relay, A);
    subscribe(relay, 1, Topic.DEFAULT);
    knows(relay, A, 2);
    effects.take();

    subscribe(relay, 2, Topic.DEFAULT);
    assertThat(takeInterest()).isEmpty();
    assertThat(effects.begun()).containsExactly(1L, 2L);

    relay.treeCommitted(new CommittedTree(2, SELF, star(A).edges()));
    effects.take();
    subscribe(relay, 3, Topic.DEFAULT);
    assertThat(takeInterest()).containsExactly("interest to a of v2: default topic asks 4");
    assertThat(effects.begun()).containsExactly(1L, 2L);
    knows(relay, A, 4);
    assertThat(effects.begun()).containsExactly(1L, 2L, 3L);
  }

  @Test
  void a_question_about_the_default_topic_is_asked_on_and_its_answer_names_the_ends() {
    BroadcastRelay relay = relayThatHeardNothing(SMALL, effects, A, B);
    wants(relay, B);
    receive(relay, B, message(C, "", 1, "x"));
    effects.take();

    relay.treeCommitted(new CommittedTree(2, SELF, star(A, B).edges()));
    receive(relay, B, underTree(2, message(C, "", 2, "y")));
    relay.received(B, new Interest(2, 2, List.of(), List.of(), false, true));
    effects.take();

    relay.received(A, new Interest(2, 7, List.of(), List.of(), true, true, true));
    assertThat(takeInterest()).containsExactly("interest to b of v2: default topic asks 3");
    knows(relay, B, 3, new StreamPosition(stream(B, ""), new Position(5, 0)));
    assertThat(takeInterest())
        .as("not what is published under this tree")
        .containsExactly("known to a: 7 b5.0 c2.0");
  }

  private static Chunk underTree(long treeVersion, Chunk chunk) {
    return new Chunk(chunk.messageId(), 0, true, treeVersion, chunk.payload());
  }

  @Test
  void a_later_question_takes_the_place_of_one_about_the_default_topic_and_is_answered_for_both() {
    BroadcastRelay relay = relayThatHeardNothing(SMALL, effects, A, B);
    wants(relay, B);
    receive(relay, B, message(C, "", 1, "x"));
    effects.take();

    relay.received(A, new Interest(1, 7, List.of(), List.of(), true, true, true));
    relay.received(A, new Interest(1, 8, List.of("t"), List.of(), true, false, true));
    takeInterest();
    knows(relay, B, 2, new StreamPosition(stream(C, ""), new Position(2, 0)));
    knows(relay, B, 3);
    assertThat(takeInterest()).containsExactly("known to a: 8 c2.0");
  }

  @Test
  void a_question_about_a_topic_is_not_answered_with_the_default_topic() {
    BroadcastRelay relay = relayThatHeardNothing(SMALL, effects, A);
    receive(relay, A, message(C, "", 1, "x"));
    effects.take();

    asks(relay, A, 1, 7, "t");

    assertThat(takeInterest()).contains("known to a: 7");
  }

  @Test
  void a_subscription_to_the_default_topic_after_positions_waits_only_for_a_tree()
      throws BroadcastRefusedException {
    BroadcastRelay relay = new BroadcastRelay(SELF, FIRST_START, SMALL, effects);
    SubscriptionStart afterNothing = new SubscriptionStart.After(List.of());
    relay.subscribe(1, SubscribeOptions.defaults().withStart(afterNothing));
    subscribe(relay, 2, "t");
    assertThat(effects.begun()).isEmpty();

    relay.treeCommitted(star(A));
    assertThat(effects.begun()).containsExactly(1L);
    relay.subscribe(3, SubscribeOptions.defaults().withStart(afterNothing));
    assertThat(effects.begun()).containsExactly(1L, 3L);
  }

  @Test
  void a_subscription_after_positions_learns_later_of_forgotten_streams()
      throws BroadcastRefusedException {
    BroadcastRelay relay = relayThatHeardNothing(SMALL, effects, A);
    wants(relay, A);
    MessageId had = new MessageId(C, FIRST_START, 4);
    relay.subscribe(
        1, SubscribeOptions.defaults().withStart(new SubscriptionStart.After(List.of(had))));
    effects.take();

    Gap all = new Gap(stream(C, ""), Position.START, new Position(9, 0), 1);
    relay.received(A, new InterestKnown(2, List.of(), List.of(all), true));

    assertThat(effects.takeFlow()).containsExactly("s1 missed c5 to 8");
  }

  @Test
  void streams_that_others_have_forgotten_precede_a_subscription_from_now()
      throws BroadcastRefusedException {
    BroadcastRelay relay = relayThatHeardNothing(SMALL, effects.withStarts(), A);
    wants(relay, A);
    subscribe(relay, 1, Topic.DEFAULT);
    effects.take();

    Gap all = new Gap(stream(C, ""), Position.START, new Position(9, 0), 1);
    relay.received(A, new InterestKnown(2, List.of(), List.of(all), true));

    assertThat(effects.takeFlow()).containsExactly("s1 begins after c8", "s1 live");
  }

  @Test
  void a_lone_members_subscription_is_in_place_with_the_tree() {
    BroadcastRelay relay = new BroadcastRelay(SELF, FIRST_START, SMALL, effects);
    subscribe(relay, 1, "t");

    relay.treeCommitted(star());
    assertThat(effects.begun()).containsExactly(1L);
  }

  @Test
  void a_subscription_begins_where_the_streams_of_its_topics_end() {
    BroadcastRelay relay = relayThatHeardNothing(SMALL, effects, A);
    subscribe(relay, 1, "t");
    receive(relay, A, message(C, "t", 1, "x"));
    receive(relay, A, message(C, "t", 2, "y"));
    receive(relay, A, message(C, "t", 3, "z"));
    assertThat(effects.takeFlow()).as("before it is in place").isEmpty();

    knows(relay, A, 2, new StreamPosition(stream(C, "t"), new Position(3, 0)));
    assertThat(effects.takeFlow()).containsExactly("deliver to s1: c3.0 'z' last", "grant a 771");
  }

  @Test
  void a_subscription_omits_a_message_that_is_said_to_have_begun_wherever_its_chunks_end() {
    BroadcastRelay relay = relayThatHeardNothing(SMALL, effects.withStarts(), A);
    subscribe(relay, 1, "t");
    effects.take();
    Position inside = new Position(2, (1L << 32) - 1);
    knows(relay, A, 2, new StreamPosition(stream(C, "t"), inside));
    assertThat(effects.takeFlow()).containsExactly("s1 begins after c2", "s1 live");

    receive(relay, A, message(C, "t", 1, "x"));
    receive(relay, A, message(C, "t", 2, "y"));
    receive(relay, A, message(C, "t", 3, "z"));

    assertThat(effects.take().stream().filter(line -> line.startsWith("deliver")))
        .containsExactly("deliver to s1: c3.0 'z' last");
  }

  @Test
  void a_question_is_answered_when_the_others_have_answered() {
    BroadcastRelay relay = relayThatHeardNothing(SMALL, effects, A, B);
    wants(relay, B);
    receive(relay, B, message(C, "t", 1, "x"));
    effects.take();

    asks(relay, A, 1, 7, "t");
    assertThat(takeInterest()).containsExactly("interest to b of v1: +t asks 2");
    knows(relay, B, 2, new StreamPosition(stream(B, "t"), new Position(5, 0)));
    assertThat(takeInterest()).containsExactly("known to a: 7 b5.0 c2.0");
  }

  @Test
  void known_ends_are_not_asked_for_again() {
    BroadcastRelay relay = relayThatHeardNothing(SMALL, effects, A, B);
    wants(relay, B);
    asks(relay, A, 1, 7, "t");
    knows(relay, B, 2);
    effects.take();

    subscribe(relay, 1, "t");
    assertThat(takeInterest()).containsExactly("interest to a of v1: +t asks 3");
    knows(relay, A, 3);
    assertThat(effects.begun()).containsExactly(1L);
  }

  @Test
  void a_question_of_a_later_tree_waits_until_it_is_committed() {
    BroadcastRelay relay = relayThatHeardNothing(SMALL, effects, A);

    asks(relay, A, 2, 7, "t");
    assertThat(takeInterest()).isEmpty();
    relay.treeCommitted(new CommittedTree(2, SELF, star(A).edges()));
    assertThat(takeInterest()).containsExactly("interest to a of v2:", "known to a: 7");
  }

  @Test
  void a_tree_that_is_committed_meanwhile_is_asked_again() {
    BroadcastRelay relay = relayThatHeardNothing(SMALL, effects, A);
    subscribe(relay, 1, "t");
    effects.take();

    relay.treeCommitted(new CommittedTree(2, SELF, star(A).edges()));
    assertThat(takeInterest()).containsExactly("interest to a of v2: asks 3");
    knows(relay, A, 2);
    assertThat(effects.begun()).isEmpty();
    knows(relay, A, 3);
    assertThat(effects.begun()).containsExactly(1L);
  }

  @Test
  void a_topic_that_a_neighbour_wanted_flows_on_until_it_reports_again()
      throws BroadcastRefusedException {
    BroadcastRelay relay = relayThatHeardNothing(SMALL, effects, A, B);
    wants(relay, A, "t");
    wants(relay, B);
    effects.take();

    relay.treeCommitted(new CommittedTree(2, SELF, star(A, B).edges()));
    relay.publish("t", bytes("x"), 0, null);
    assertThat(effects.takeFlow()).containsExactly("send to a: self1.0 'x' last");
  }

  @Test
  void a_neighbour_that_does_not_want_a_topic_holds_nothing_back()
      throws BroadcastRefusedException {
    BroadcastRelay relay = relayThatHeardNothing(SMALL, effects, A, B);
    wants(relay, A, "t");
    wants(relay, B);
    relay.publish("t", bytes("x"), 0, null);
    relay.tick(0);
    assertThat(relay.counters().retainedBytes()).isPositive();

    StreamPosition has = new StreamPosition(stream(SELF, "t"), new Position(2, 0));
    relay.received(A, new Have(1, List.of(has), false, 0));
    relay.tick(2 * Stability.INTERVAL_NANOS);
    assertThat(relay.counters().retainedBytes()).isZero();
  }

  @Test
  void nothing_is_released_before_a_neighbour_has_reported() throws BroadcastRefusedException {
    BroadcastRelay relay = relayThatHeardNothing(SMALL, effects, A, B);
    wants(relay, A);
    relay.publish("t", bytes("x"), 0, null);
    relay.tick(2 * Stability.INTERVAL_NANOS);
    assertThat(relay.counters().retainedBytes()).isPositive();

    wants(relay, B);
    relay.tick(4 * Stability.INTERVAL_NANOS);
    assertThat(relay.counters().retainedBytes()).isZero();
    relay.publish("t", bytes("x"), 0, null);
    assertThat(relay.counters().retainedBytes()).as("nobody is absent").isZero();
  }

  @Test
  void unwanted_content_is_kept_while_a_member_is_awaited() throws BroadcastRefusedException {
    BroadcastRelay relay = relayThatHeardNothing(SMALL, effects, A, B);
    wants(relay, A);
    wants(relay, B);
    relay.received(A, new Have(1, List.of(), true, 0));
    relay.publish("t", bytes("x"), 0, null);
    relay.tick(2 * Stability.INTERVAL_NANOS);
    relay.publish("t", bytes("y"), 0, null);
    relay.tick(4 * Stability.INTERVAL_NANOS);
    assertThat(relay.counters().retainedBytes()).isPositive();

    relay.received(A, new Have(1, List.of(), false, 0));
    relay.tick(6 * Stability.INTERVAL_NANOS);
    assertThat(relay.counters().retainedBytes()).isZero();
  }

  @Test
  void more_topics_than_the_limit_are_refused_by_name() throws BroadcastRefusedException {
    BroadcastRelay relay = relayThatHeardNothing(SMALL, effects, A);
    for (String topic : List.of("t", "u", "v")) {
      relay.publish(topic, bytes("x"), 0, null);
    }
    relay.publish("t", bytes("x"), 0, null);

    assertThatExceptionOfType(BroadcastRefusedException.class)
        .isThrownBy(() -> relay.publish("w", bytes("x"), 0, null))
        .withMessageContaining("limits.topics = 3")
        .matches(refused -> refused.reason() == Reason.TOO_MANY_TOPICS);
    BroadcastRefusedException refused =
        catchThrowableOfType(
            BroadcastRefusedException.class,
            () ->
                relay.subscribe(
                    1, SubscribeOptions.defaults().withTopics(Set.of("a", "b", "c", "d"))));
    assertThat(refused)
        .hasMessageContainingAll("4 topics", "limits.topics = 3")
        .returns(Reason.TOO_MANY_TOPICS, BroadcastRefusedException::reason);
    subscribe(relay, 1, "", "a", "b", "c");
    relay.publish(bytes("x"));
  }

  @Test
  void an_answer_without_a_question_is_a_violation() {
    BroadcastRelay relay = relayThatHeardNothing(SMALL, effects, A);
    effects.take();

    knows(relay, A, 1);
    assertThat(effects.take())
        .singleElement()
        .asString()
        .startsWith("violated by a: ")
        .contains("interest 1");
  }

  @Test
  void a_neighbour_that_wants_too_many_topics_breaks_the_protocol() {
    BroadcastRelay relay = relayThatHeardNothing(SMALL, effects, A);
    effects.take();

    wants(relay, A, "1", "2", "3", "4");
    assertThat(effects.take())
        .singleElement()
        .asString()
        .startsWith("violated by a: ")
        .contains("limits.origins = 3");
  }

  @Test
  void topics_in_use_are_those_of_subscriptions_publications_and_neighbours() throws Exception {
    BroadcastRelay relay = relayThatHeardNothing(SMALL, effects, A, B);
    subscribe(relay, 1, "t", Topic.DEFAULT);
    subscribe(relay, 2, "t");
    wants(relay, A, "t", "u", Topic.orderOf("v"));
    wants(relay, B);
    relay.publish("w", bytes("x"), 0, null);

    assertThat(relay.topicsInUse())
        .containsExactly(
            new TopicUse(Topic.DEFAULT, 1, false, nodes(A, B)),
            new TopicUse("t", 2, false, nodes(A)),
            new TopicUse("u", 0, false, nodes(A)),
            new TopicUse("v", 0, false, nodes(A)),
            new TopicUse("w", 0, true, nodes()));
  }

  @Test
  void a_member_knows_a_topic_to_be_unwanted_when_all_neighbours_have_reported_for_the_tree() {
    BroadcastRelay relay = relayThatHeardNothing(SMALL, effects, A, B);
    wants(relay, A, "t");
    assertThat(relay.interest("t")).isEqualTo(InterestState.YES);
    assertThat(relay.interest("u")).isEqualTo(InterestState.UNKNOWN);
    wants(relay, B);
    assertThat(relay.interest("u")).isEqualTo(InterestState.NO);
    subscribe(relay, 1, "u");
    assertThat(relay.interest("u")).isEqualTo(InterestState.YES);
    wantsNoMore(relay, A, "t");
    assertThat(relay.interest("t")).isEqualTo(InterestState.NO);
  }

  @Test
  void a_member_without_a_tree_does_not_know_who_wants_a_topic() {
    BroadcastRelay relay = new BroadcastRelay(SELF, FIRST_START, SMALL, effects);
    assertThat(relay.interest("t")).isEqualTo(InterestState.UNKNOWN);
  }
}
