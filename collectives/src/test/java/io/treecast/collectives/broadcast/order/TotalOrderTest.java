package io.treecast.collectives.broadcast.order;

import static io.treecast.collectives.broadcast.Examples.A;
import static io.treecast.collectives.broadcast.Examples.B;
import static io.treecast.collectives.broadcast.Examples.C;
import static io.treecast.collectives.broadcast.Examples.FIRST_START;
import static io.treecast.collectives.broadcast.Examples.SELF;
import static io.treecast.collectives.broadcast.Examples.chunk;
import static io.treecast.collectives.broadcast.Examples.lastChunk;
import static io.treecast.collectives.broadcast.Examples.message;
import static io.treecast.collectives.broadcast.Examples.receive;
import static org.assertj.core.api.Assertions.assertThat;

import io.treecast.collectives.broadcast.BroadcastCounters;
import io.treecast.collectives.broadcast.Examples;
import io.treecast.collectives.broadcast.contract.SubscribeOptions;
import io.treecast.collectives.broadcast.contract.WhenSlow;
import io.treecast.collectives.broadcast.log.Orphans;
import io.treecast.collectives.broadcast.message.Chunk;
import io.treecast.collectives.broadcast.message.EdgeMessage;
import io.treecast.collectives.broadcast.message.EdgeMessage.OrderTail;
import io.treecast.collectives.broadcast.message.MissedReason;
import io.treecast.collectives.broadcast.message.OrderEntry;
import io.treecast.collectives.broadcast.message.OrderPosition;
import io.treecast.collectives.broadcast.message.Position;
import io.treecast.collectives.broadcast.message.StreamId;
import io.treecast.collectives.broadcast.message.Topic;
import io.treecast.collectives.broadcast.stability.Absences;
import io.treecast.collectives.broadcast.stability.Stability;
import io.treecast.collectives.broadcast.tree.TreeEpoch;
import io.treecast.ghs.NodeId;
import java.util.List;
import org.junit.jupiter.api.Test;

/**
 * One member's part in a topic's total order: assigning places, deciding them, and handing messages
 * over.
 */
public class TotalOrderTest extends MemberInOrder {
  // At the root.

  @Test
  void the_root_gives_places_in_the_order_in_which_it_has_messages() {
    commit(1, SELF, A, B);
    openAll(A, B);
    wants(A, 1, ORDER);
    wants(B, 1);
    tells(A, 1, List.of());
    effects.take();

    receive(relay, B, message(B, 1, "b"));
    publish("own");
    receive(relay, A, message(A, 1, "a"));

    assertThat(takeOrder())
        .containsExactly(
            "order to a of v1: 1.1 is b1",
            "order to a of v1: 1.2 is self1",
            "order to a of v1: 1.3 is a1");
  }

  @Test
  void a_message_that_all_had_keeps_its_place_and_an_absent_member_gets_the_last_one() {
    commit(1, SELF);
    subscribe(1);
    publish("one");
    publish("two");
    relay.tick(0);
    commit(2, SELF, A);
    openAll(A);
    wants(A, 2, ORDER);
    effects.take();

    tells(A, 2, List.of());

    assertThat(takeOrder()).containsExactly("order tail to a of v2: [] 1.2 is self2 end");
  }

  @Test
  void a_message_gets_its_place_when_the_root_has_all_of_it() {
    commit(1, SELF, A, B);
    openAll(A, B);
    wants(A, 1, ORDER);
    wants(B, 1);
    tells(A, 1, List.of());
    effects.take();

    receive(relay, A, chunk(A, 1, 0, "half"));
    receive(relay, B, message(B, 1, "b"));
    receive(relay, A, lastChunk(A, 1, 1, "rest"));

    assertThat(takeOrder())
        .containsExactly("order to a of v1: 1.1 is b1", "order to a of v1: 1.2 is a1");
  }

  @Test
  void the_root_begins_when_all_members_that_want_the_order_have_reported() {
    commit(2, SELF, A, B, C);
    openAll(A, B, C);
    wants(A, 2, ORDER);
    wants(B, 2, ORDER);
    tells(A, 2, List.of(new TreeEpoch(1, A, 0)), entry(1, 7, C, 3));
    assertThat(takeOrder()).as("before b has told, and c what it wants").isEmpty();
    tells(B, 2, List.of());
    assertThat(takeOrder()).as("before c has told what it wants").isEmpty();
    wants(C, 2);

    assertThat(takeOrder())
        .containsExactly(
            "order tail to a of v2: [v1 of a#0] 1.7 is c3 end",
            "order tail to b of v2: [v1 of a#0] 1.7 is c3 end");
  }

  @Test
  void a_member_that_lost_its_only_neighbour_orders_nothing_alone_for_a_while() {
    commit(1, A, A, B);
    relay.tick(0);
    commit(2, SELF);
    subscribe(1);
    publish("own");
    relay.tick(1);
    assertThat(takeDelivered()).isEmpty();

    relay.tick(Absences.BRIEF_NANOS);
    assertThat(takeDelivered()).isEmpty();
    relay.tick(1 + Absences.BRIEF_NANOS);
    assertThat(takeDelivered()).hasSize(1);
  }

  @Test
  void a_message_published_alone_gets_its_place_from_the_root_that_is_met() {
    commit(1, A, A, B);
    commit(2, SELF);
    subscribe(1);
    publish("own");
    commit(3, A, A);
    openAll(A);
    wants(A, 3, ORDER);

    assertThat(takeOrder()).isEmpty();
    tells(A, 3, List.of(new TreeEpoch(1, A, 0)), entry(1, 1, A, 1));
    receive(relay, A, message(A, 1, "a"));
    goesOn(A, 3, entry(3, 1, SELF, 1));
    assertThat(takeDelivered())
        .extracting(line -> line.contains("own"))
        .containsExactly(false, true);
  }

  @Test
  void the_last_of_two_members_orders_at_once() {
    commit(1, A, A);
    relay.tick(0);
    commit(2, SELF);
    subscribe(1);
    publish("own");

    assertThat(takeDelivered()).hasSize(1);
  }

  @Test
  void a_message_decided_before_gets_no_other_place() {
    commit(2, SELF, A);
    openAll(A);
    wants(A, 2, ORDER);
    tells(A, 2, List.of(new TreeEpoch(1, A, 0)), entry(1, 7, A, 2));
    effects.take();

    receive(relay, A, message(A, 1, "a"));
    receive(relay, A, message(A, 2, "b"));
    receive(relay, A, message(A, 3, "c"));

    assertThat(takeOrder()).containsExactly("order to a of v2: 2.1 is a3");
  }

  @Test
  void an_unwanted_order_causes_no_messages() {
    commit(1, SELF, A);
    openAll(A);
    wants(A, 1);
    publish("text");
    receive(relay, A, message(A, 1, "a"));

    assertThat(takeOrder()).isEmpty();
  }

  @Test
  void a_lone_member_orders_what_it_publishes() {
    commit(1, SELF);
    subscribe(1);
    publish("one");
    publish("two");

    assertThat(takeDelivered())
        .containsExactly(
            "deliver to s1: self1.0 'one' last at 1.1", "deliver to s1: self2.0 'two' last at 1.2");
  }

  // At another member.

  @Test
  void a_message_is_handed_over_when_it_has_a_place() {
    beLeaf();
    receive(relay, A, message(A, 1, "a"));
    receive(relay, A, message(B, 1, "b"));
    assertThat(takeDelivered()).isEmpty();

    goesOn(A, 1, entry(1, 1, B, 1), entry(1, 2, A, 1));

    assertThat(takeDelivered())
        .containsExactly(
            "deliver to s1: b1.0 'b' last at 1.1", "deliver to s1: a1.0 'a' last at 1.2");
  }

  @Test
  void messages_that_wait_for_their_place_or_an_earlier_message_are_counted() {
    beLeaf();
    receive(relay, A, message(A, 1, "a"));
    receive(relay, A, message(A, 2, "aa"));
    receive(relay, A, chunk(A, 3, 0, "half"));
    assertThat(relay.counters())
        .returns(2L, BroadcastCounters::unorderedMessages)
        .returns(0L, BroadcastCounters::orderedPlaces);

    goesOn(A, 1, entry(1, 1, A, 1), entry(1, 2, B, 1), entry(1, 3, A, 2));
    assertThat(relay.counters())
        .as("a2 has a place, behind what is not here")
        .returns(1L, BroadcastCounters::unorderedMessages)
        .returns(1L, BroadcastCounters::orderedPlaces);

    receive(relay, A, message(B, 1, "b"));
    assertThat(relay.counters())
        .returns(0L, BroadcastCounters::unorderedMessages)
        .returns(3L, BroadcastCounters::orderedPlaces);
  }

  @Test
  void no_message_waits_for_an_unwanted_order() {
    commit(1, SELF, A);
    openAll(A);
    wants(A, 1);
    subscribe(1, SubscribeOptions.defaults());
    receive(relay, A, message(A, 1, "a"));

    assertThat(relay.counters().unorderedMessages()).isZero();
  }

  @Test
  void a_place_is_decided_when_the_message_is_here() {
    beLeaf();
    goesOn(A, 1, entry(1, 1, B, 1), entry(1, 2, A, 1));
    receive(relay, A, message(A, 1, "a"));
    assertThat(takeDelivered()).isEmpty();

    receive(relay, A, message(B, 1, "b"));

    assertThat(takeDelivered())
        .containsExactly(
            "deliver to s1: b1.0 'b' last at 1.1", "deliver to s1: a1.0 'a' last at 1.2");
  }

  @Test
  void a_gap_is_reported_in_its_place() {
    beLeaf();
    receive(relay, A, message(B, 1, "b"));
    receive(relay, A, Examples.gap(A, Position.START, new Position(3, 0)));
    receive(relay, A, message(A, 3, "a"));
    effects.take();
    goesOn(A, 1, entry(1, 1, A, 1), entry(1, 2, B, 1), entry(1, 3, A, 2), entry(1, 4, A, 3));

    assertThat(take("deliver", "s1"))
        .containsExactly(
            "s1 missed a1 to 2",
            "deliver to s1: b1.0 'b' last at 1.2",
            "deliver to s1: a3.0 'a' last at 1.4");
  }

  @Test
  void another_tree_ends_the_epoch() {
    beLeaf();
    receive(relay, A, message(A, 1, "a"));
    receive(relay, A, message(A, 2, "b"));
    goesOn(A, 1, entry(1, 1, A, 1));
    effects.take();

    commit(2, A, A);
    goesOn(A, 1, entry(1, 2, A, 2));
    assertThat(takeDelivered()).isEmpty();

    tells(A, 2, List.of(new TreeEpoch(1, A, 0)), entry(1, 1, A, 1));
    goesOn(A, 2, entry(2, 1, A, 2));
    assertThat(takeDelivered()).containsExactly("deliver to s1: a2.0 'b' last at 2.1");
  }

  @Test
  void a_member_reports_its_decisions_when_all_below_have_reported() {
    beLeaf();
    receive(relay, A, message(A, 1, "a"));
    goesOn(A, 1, entry(1, 1, A, 1));

    commit(2, A, A, B);
    openAll(B);
    wants(A, 2);
    assertThat(takeOrder()).as("before b has told what it wants").isEmpty();
    wants(B, 2, ORDER);
    assertThat(takeOrder()).as("before b has told what it decided").isEmpty();
    tells(B, 2, List.of(new TreeEpoch(1, A, 0)), entry(1, 1, A, 1), entry(1, 2, C, 1));

    assertThat(takeOrder())
        .containsExactly("order tail to a of v2: [v1 of a#0] 1.1 is a1, 1.2 is c1 end");
  }

  @Test
  void the_own_parts_order_comes_before_that_of_another() {
    beLeaf();
    receive(relay, A, message(A, 1, "a"));
    receive(relay, A, message(B, 1, "b"));
    receive(relay, A, message(C, 1, "c"));
    goesOn(A, 1, entry(1, 1, A, 1));
    effects.take();

    commit(3, A, A);
    relay.received(
        A,
        new OrderTail(
            3, Topic.DEFAULT, List.of(new TreeEpoch(2, C, 0)), List.of(entry(2, 1, C, 1)), false));
    tells(A, 3, List.of(new TreeEpoch(1, A, 0)), entry(1, 1, A, 1), entry(1, 2, B, 1));

    assertThat(takeDelivered())
        .containsExactly(
            "deliver to s1: b1.0 'b' last at 1.2", "deliver to s1: c1.0 'c' last at 2.1");
  }

  @Test
  void
      the_order_of_members_that_started_anew_is_that_of_another_part_though_version_and_root_are_the_same() {
    beLeaf();
    receive(relay, A, message(A, 1, "a"));
    receive(relay, A, message(B, 1, "b"));
    receive(relay, A, message(C, 1, "c"));
    goesOn(A, 1, entry(1, 1, A, 1));
    effects.take();

    commit(2, A, A);
    OrderEntry ofNewLives = entry(1, 1, C, 1);
    relay.received(
        A,
        new OrderTail(
            2, Topic.DEFAULT, List.of(new TreeEpoch(1, A, 1)), List.of(ofNewLives), false));
    tells(A, 2, List.of(new TreeEpoch(1, A, 0)), entry(1, 1, A, 1), entry(1, 2, B, 1));

    assertThat(takeDelivered())
        .containsExactly(
            "deliver to s1: b1.0 'b' last at 1.2", "deliver to s1: c1.0 'c' last at 1.1");
  }

  @Test
  void a_root_places_messages_that_it_misses_behind_a_decided_one() {
    beLeaf();
    receive(relay, A, Examples.gap(B, Position.START, new Position(3, 0)));
    goesOn(A, 1, entry(1, 1, B, 1));

    commit(2, SELF, A);
    wants(A, 2, ORDER);
    effects.take();
    tells(A, 2, List.of(new TreeEpoch(1, A, 0)), entry(1, 1, B, 1));

    assertThat(takeOrder())
        .containsExactly(
            "order tail to a of v2: [v1 of a#0] 1.1 is b1 end", "order to a of v2: 2.1 is b2");
  }

  @Test
  void a_root_places_messages_that_it_had_decided_and_misses() {
    beLeaf();
    receive(relay, A, Examples.gap(B, Position.START, new Position(3, 0)));
    goesOn(A, 1, entry(1, 1, B, 1), entry(1, 2, B, 2));

    commit(2, SELF, A);
    wants(A, 2, ORDER);
    effects.take();
    tells(A, 2, List.of());

    assertThat(takeOrder())
        .containsExactly(
            "order tail to a of v2: [v1 of a#0] 1.1 is b1 end", "order to a of v2: 2.1 is b2");
  }

  @Test
  void a_gap_is_reported_even_if_a_place_of_another_part_comes_after_it() {
    beLeaf(SubscribeOptions.defaults().withTotalOrder().withWhenSlow(WhenSlow.CATCH_UP));
    receive(relay, A, message(B, 1, "full"));
    goesOn(A, 1, entry(1, 1, B, 1));
    for (int sequence = 1; sequence <= 9; sequence++) {
      receive(relay, A, message(A, sequence, "full"));
      goesOn(A, 1, entry(1, 1 + sequence, A, sequence));
    }
    receive(relay, A, message(B, 2, "more"));
    goesOn(A, 1, entry(1, 11, B, 2), entry(1, 12, B, 1));
    relay.received(A, new EdgeMessage.Stable(1, List.of(Examples.position(B, 3, 0)), false, 0));
    effects.take();

    relay.consumed(1, Chunk.cost(4));

    assertThat(take("s1")).containsExactly("s1 missed b2 to 2");
  }

  @Test
  void a_slow_subscriber_holds_back_its_own_order_only() {
    beLeaf();
    subscribe(2);
    for (int sequence = 1; sequence <= 10; sequence++) {
      receive(relay, A, message(A, sequence, "full"));
      goesOn(A, 1, entry(1, sequence, A, sequence));
    }
    effects.take();
    receive(relay, A, message(A, 11, "more"));
    goesOn(A, 1, entry(1, 11, A, 11));
    assertThat(takeDelivered()).isEmpty();

    relay.consumed(2, Chunk.cost(4));

    assertThat(takeDelivered()).containsExactly("deliver to s2: a11.0 'more' last at 1.11");
  }

  @Test
  void a_stable_message_stays_until_a_slow_subscriber_has_it() {
    beLeaf();
    relay.received(A, new EdgeMessage.Stable(1, List.of(Examples.position(B, 12, 0)), false, 0));
    for (int sequence = 1; sequence <= 11; sequence++) {
      receive(relay, A, message(B, sequence, "full"));
      goesOn(A, 1, entry(1, sequence, B, sequence));
    }
    assertThat(relay.counters().retainedBytes()).isEqualTo(Chunk.cost(4));
    effects.take();

    relay.consumed(1, Chunk.cost(4));

    assertThat(take("deliver ", "s1")).containsExactly("deliver to s1: b11.0 'full' last at 1.11");
    assertThat(relay.counters().retainedBytes()).isZero();
  }

  @Test
  void a_message_without_a_place_is_not_stable_though_no_subscriber_slows_publishers() {
    beLeaf(SubscribeOptions.defaults().withTotalOrder().withWhenSlow(WhenSlow.CATCH_UP));
    receive(relay, A, message(B, 1, "b"));
    relay.tick(0);
    assertThat(take("have ")).isEmpty();

    goesOn(A, 1, entry(1, 1, B, 1));
    relay.tick(Stability.INTERVAL_NANOS);
    assertThat(take("have ")).containsExactly("have to a of v1: b2.0");
  }

  /** The beginning of c1 arrived; c is gone, and its stream has given way to that of d. */
  private void forgetTheBeginOfAMessage() {
    beLeaf();
    receive(relay, A, message(A, 1, "a"));
    receive(relay, A, chunk(C, 1, 0, "1234"));
    receive(relay, A, message(B, 1, "b"));
    goesOn(A, 1, entry(1, 1, A, 1), entry(1, 2, B, 1));
    relay.tick(0);
    relay.tick(Orphans.PATIENCE_NANOS);
    receive(relay, A, message(NodeId.of("d"), 1, "d"));
    goesOn(A, 1, entry(1, 3, NodeId.of("d"), 1));
    assertThat(relay.positions()).doesNotContain(Examples.position(C, 1, 1));
    effects.take();
  }

  @Test
  void a_message_whose_beginning_is_forgotten_is_missed_in_its_place() {
    forgetTheBeginOfAMessage();
    receive(relay, A, lastChunk(C, 1, 1, "5"));
    receive(relay, A, message(C, 2, "c"));
    assertThat(take("deliver ", "s1")).isEmpty();

    goesOn(A, 1, entry(1, 4, C, 1), entry(1, 5, C, 2));

    assertThat(take("deliver ", "s1"))
        .containsExactly("s1 missed c1 to 1", "deliver to s1: c2.0 'c' last at 1.5");
    assertThat(relay.counters().missedMessages())
        .as("it was given up when its origin was away, and nobody let it go")
        .containsEntry(MissedReason.AGENT_AWAY, 1L);
  }

  // Violations.

  @Test
  void a_place_for_a_message_of_another_topic_is_a_violation() {
    beLeaf();
    StreamId other = new StreamId(B, FIRST_START, "t");
    goesOn(A, 1, new OrderEntry(new OrderPosition(1, 1), other, 1));

    assertThat(effects.take())
        .singleElement()
        .asString()
        .startsWith("violated by a: ")
        .contains("1.1", other + "/1");
  }

  @Test
  void a_place_of_a_later_tree_than_its_message_is_a_violation() {
    beLeaf();
    goesOn(A, 1, entry(2, 1, B, 1));

    assertThat(effects.take()).singleElement().asString().startsWith("violated by a: 2.1 is ");
  }

  @Test
  void an_epoch_of_a_later_tree_than_its_message_is_a_violation() {
    beLeaf();
    effects.take();
    TreeEpoch later = new TreeEpoch(2, A, 0);
    relay.received(A, new OrderTail(1, "", List.of(later), List.of(), true));

    assertThat(effects.take()).singleElement().asString().startsWith("violated by a: epoch ");
  }

  @Test
  void more_orders_than_streams_are_a_violation() {
    commit(1, SELF, A);
    openAll(A);
    for (String topic : List.of("t", "u", "v", "w")) {
      relay.received(A, new OrderTail(9, topic, List.of(), List.of(), false));
    }

    assertThat(effects.take())
        .singleElement()
        .asString()
        .startsWith("violated by a: ")
        .contains("limits.origins = 3");
  }
}
