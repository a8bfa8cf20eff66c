package io.treecast.collectives.broadcast.order;

import static io.treecast.collectives.broadcast.Examples.A;
import static io.treecast.collectives.broadcast.Examples.B;
import static io.treecast.collectives.broadcast.Examples.C;
import static io.treecast.collectives.broadcast.Examples.SELF;
import static io.treecast.collectives.broadcast.Examples.message;
import static io.treecast.collectives.broadcast.Examples.receive;
import static org.assertj.core.api.Assertions.assertThat;

import io.treecast.collectives.broadcast.Examples;
import io.treecast.collectives.broadcast.contract.SubscribeOptions;
import io.treecast.collectives.broadcast.contract.SubscriptionStart;
import io.treecast.collectives.broadcast.message.EdgeMessage;
import io.treecast.collectives.broadcast.message.EdgeMessage.Interest;
import io.treecast.collectives.broadcast.message.EdgeMessage.OrderTail;
import io.treecast.collectives.broadcast.message.Position;
import io.treecast.collectives.broadcast.message.Topic;
import io.treecast.collectives.broadcast.tree.TreeEpoch;
import java.util.List;
import org.junit.jupiter.api.Test;

/**
 * The entries that a member sends to those that join an epoch, and the order that it adopts when it
 * joins one.
 */
class JoiningAnOrderTest extends MemberInOrder {
  @Test
  void a_member_that_joins_in_the_middle_gets_all_places() {
    commit(1, SELF, A, B);
    openAll(A, B);
    wants(A, 1, ORDER);
    wants(B, 1);
    tells(A, 1, List.of());
    publish("one");
    effects.take();

    wants(B, 1, ORDER);
    tells(B, 1, List.of());

    assertThat(takeOrder())
        .containsExactly("order tail to b of v1: [] end", "order to b of v1: 1.1 is self1");
  }

  @Test
  void a_member_that_joins_in_the_middle_gets_the_place_and_the_gap_of_a_forgotten_message() {
    commit(2, SELF, A, B);
    openAll(A, B);
    wants(A, 2, ORDER);
    wants(B, 2);
    tells(A, 2, List.of(new TreeEpoch(1, A, 0)), entry(1, 1, C, 1), entry(1, 2, A, 1));
    receive(relay, A, message(C, 1, "c"));
    relay.tick(0);
    relay.tick(20_000_000_000L);
    effects.take();

    wants(B, 2, ORDER);
    tells(B, 2, List.of());

    assertThat(effects.takeFlow())
        .containsExactly(
            "order tail to b of v2: [v1 of a#0] 1.1 is c1, 1.2 is a1 end",
            "send to b: gap 1.0 to 2.0");
  }

  @Test
  void
      who_comes_in_the_middle_is_told_of_places_for_what_this_member_had_ordered_in_another_part() {
    commit(1, SELF);
    subscribe(1);
    publish("one");
    relay.tick(0); // All members have it, so it is not reported in the next tree.
    commit(2, A, A, B);
    openAll(A, B);
    wants(A, 2);
    wants(B, 2);
    tells(A, 2, List.of(new TreeEpoch(1, A, 0)), entry(1, 1, A, 1));
    receive(relay, A, message(A, 1, "a"));
    goesOn(A, 2, entry(2, 1, SELF, 1));
    effects.take();

    wants(B, 2, ORDER);
    tells(B, 2, List.of());

    assertThat(takeOrder())
        .containsExactly(
            "order tail to b of v2: [v1 of a#0] 1.1 is a1 end", "order to b of v2: 2.1 is self1");
  }

  /**
   * Puts SELF below the root a, where all have a1, and decides c1 here; then its part meets that of
   * b below it, which may want the order by then.
   */
  private void meetPartOfB(String... wanted) {
    beLeaf();
    receive(relay, A, message(A, 1, "a"));
    receive(relay, A, message(C, 1, "c"));
    goesOn(A, 1, entry(1, 1, A, 1), entry(1, 2, C, 1));
    relay.received(A, new EdgeMessage.Stable(1, List.of(Examples.position(A, 2, 0)), false, 0));
    commit(3, A, A, B);
    openAll(B);
    wants(A, 3);
    wants(B, 3, wanted);
    if (wanted.length > 0) {
      tells(B, 3, List.of(new TreeEpoch(2, B, 0)), entry(2, 1, B, 1));
    }
    relay.received(
        A,
        new OrderTail(
            3, Topic.DEFAULT, List.of(new TreeEpoch(1, A, 0)), List.of(entry(1, 2, C, 1)), false));
    tells(A, 3, List.of(new TreeEpoch(2, B, 0)), entry(2, 1, B, 1));
    effects.take();
  }

  @Test
  void a_member_that_rejoins_does_not_get_entries_settled_in_another_part() {
    meetPartOfB(ORDER);

    relay.streamClosed(B);
    openAll(B);
    wants(B, 3, ORDER);
    tells(B, 3, List.of(new TreeEpoch(2, B, 0)), entry(2, 1, B, 1));

    assertThat(takeOrder())
        .as("the rest of its part gets a1 at the place that the root gives it now")
        .containsExactly(
            "order tail to b of v3: [v1 of a#0] 1.2 is c1",
            "order tail to b of v3: [v2 of b#0] 2.1 is b1 end");
  }

  @Test
  void a_member_that_joins_for_the_first_time_gets_settled_entries_with_their_part() {
    meetPartOfB();

    wants(B, 3, ORDER);
    tells(B, 3, List.of());
    List<String> first = takeOrder();
    relay.streamClosed(B);
    openAll(B);
    wants(B, 3, ORDER);
    tells(B, 3, List.of());

    assertThat(first)
        .containsExactly(
            "order tail to b of v3: [v1 of a#0] 1.1 is a1, 1.2 is c1",
            "order tail to b of v3: [v2 of b#0] 2.1 is b1 end");
    assertThat(takeOrder()).as("again").isEqualTo(first);
  }

  @Test
  void a_member_that_wants_the_order_again_joins_as_for_the_first_time() {
    meetPartOfB(ORDER);

    relay.received(B, new Interest(3, ++interest, List.of(), List.of(ORDER), false, true));
    wants(B, 3, ORDER);
    tells(B, 3, List.of());

    assertThat(takeOrder()).contains("order tail to b of v3: [v1 of a#0] 1.1 is a1, 1.2 is c1");
  }

  @Test
  void a_member_asks_for_the_place_of_a_message_without_one() {
    commit(1, A, A);
    openAll(A);
    wants(A, 1);
    receive(relay, A, message(A, 1, "a"));
    receive(relay, A, message(B, 1, "b"));
    subscribe(1);
    knows(A);
    effects.take();

    tells(A, 1, List.of(), entry(1, 1, A, 1));

    assertThat(takeOrder()).as("at any place").containsExactly("order to a of v1: 1.1 is b1");
  }

  @Test
  void a_subscription_omits_a_message_that_is_said_to_have_begun_wherever_its_chunks_end() {
    commit(1, A, A);
    openAll(A);
    wants(A, 1);
    subscribe(1);
    knows(A, Examples.position(B, 2, (1L << 32) - 1));
    tells(A, 1, List.of());
    receive(relay, A, message(B, 1, "x"));
    receive(relay, A, message(B, 2, "y"));
    receive(relay, A, message(B, 3, "z"));
    effects.take();

    goesOn(A, 1, entry(1, 1, B, 1), entry(1, 2, B, 2), entry(1, 3, B, 3));

    assertThat(takeDelivered()).containsExactly("deliver to s1: b3.0 'z' last at 1.3");
  }

  @Test
  void a_member_asks_for_the_place_of_a_message_that_it_misses_later() {
    beLeaf();

    receive(relay, A, Examples.gap(B, Position.START, new Position(3, 0)));

    assertThat(takeOrder()).containsExactly("order to a of v1: 1.1 is b2");
  }

  @Test
  void a_question_from_below_is_passed_on_once_and_again_on_another_data_stream() {
    commit(1, A, A, B, C);
    openAll(A, B, C);
    wants(A, 1);
    wants(B, 1, ORDER);
    wants(C, 1, ORDER);
    tells(B, 1, List.of());
    tells(C, 1, List.of());
    tells(A, 1, List.of());
    effects.take();

    goesOn(B, 1, entry(1, 1, C, 2));
    goesOn(C, 1, entry(1, 1, C, 1), entry(1, 1, C, 3));
    assertThat(takeOrder())
        .containsExactly("order to a of v1: 1.1 is c2", "order to a of v1: 1.1 is c3");

    relay.streamClosed(A);
    openAll(A);
    tells(A, 1, List.of());
    effects.take();
    goesOn(B, 1, entry(1, 1, C, 2));
    assertThat(takeOrder()).containsExactly("order to a of v1: 1.1 is c2");
  }

  @Test
  void a_new_member_adopts_the_order_of_the_part_that_it_passes_on() {
    commit(3, A, A);
    openAll(A);
    wants(A, 3);
    subscribe(
        1,
        SubscribeOptions.defaults()
            .withTotalOrder()
            .withStart(new SubscriptionStart.After(List.of())));
    knows(A);
    receive(relay, A, message(A, 1, "a"));
    receive(relay, A, message(B, 1, "b"));
    receive(relay, A, message(C, 1, "c"));
    relay.received(
        A, new OrderTail(3, Topic.DEFAULT, List.of(), List.of(entry(2, 9, C, 1)), false));
    effects.take();

    tells(A, 3, List.of(new TreeEpoch(1, A, 0)), entry(1, 1, B, 1), entry(1, 2, A, 1));
    assertThat(takeDelivered())
        .containsExactly(
            "deliver to s1: b1.0 'b' last at 1.1",
            "deliver to s1: a1.0 'a' last at 1.2",
            "deliver to s1: c1.0 'c' last at 2.9");

    commit(4, A, A);
    wants(A, 4);
    assertThat(takeOrder())
        .containsExactly(
            "order tail to a of v4: [v1 of a#0, v3 of a#0] 1.1 is b1, 1.2 is a1, 2.9 is c1 end");
  }
}
