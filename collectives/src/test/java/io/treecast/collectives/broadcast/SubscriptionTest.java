package io.treecast.collectives.broadcast;

import static io.treecast.collectives.broadcast.Examples.A;
import static io.treecast.collectives.broadcast.Examples.B;
import static io.treecast.collectives.broadcast.Examples.SMALL;
import static io.treecast.collectives.broadcast.Examples.bytes;
import static io.treecast.collectives.broadcast.Examples.chunk;
import static io.treecast.collectives.broadcast.Examples.lastChunk;
import static io.treecast.collectives.broadcast.Examples.limits;
import static io.treecast.collectives.broadcast.Examples.message;
import static io.treecast.collectives.broadcast.Examples.receive;
import static io.treecast.collectives.broadcast.Examples.relay;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.treecast.collectives.broadcast.contract.BroadcastRefusedException;
import io.treecast.collectives.broadcast.contract.BroadcastRefusedException.Reason;
import io.treecast.collectives.broadcast.contract.SubscribeOptions;
import io.treecast.collectives.broadcast.contract.WhenSlow;
import java.util.Set;
import org.junit.jupiter.api.Test;

class SubscriptionTest {
  private final RecordingEffects effects = new RecordingEffects();

  @Test
  void a_new_subscriber_starts_at_the_next_message_of_each_origin() throws Exception {
    BroadcastRelay relay = relay(SMALL, effects, A);
    receive(relay, A, chunk(A, 1, 0, "1234"));
    relay.subscribe(1, SubscribeOptions.defaults());

    receive(relay, A, chunk(B, 1, 0, "abcd"));
    receive(relay, A, lastChunk(A, 1, 1, "5"));
    receive(relay, A, lastChunk(B, 1, 1, "e"));
    receive(relay, A, message(A, 2, "x"));

    assertThat(effects.take())
        .filteredOn(line -> line.startsWith("deliver"))
        .containsExactly(
            "deliver to s1: b1.0 'abcd'",
            "deliver to s1: b1.1 'e' last",
            "deliver to s1: a2.0 'x' last");
  }

  @Test
  void an_earlier_subscriber_gets_the_rest_of_a_message_that_a_later_one_does_not()
      throws Exception {
    BroadcastRelay relay = relay(SMALL, effects, A);
    relay.subscribe(1, SubscribeOptions.defaults());
    receive(relay, A, chunk(A, 1, 0, "1234"));
    relay.subscribe(2, SubscribeOptions.defaults());
    effects.take();

    receive(relay, A, lastChunk(A, 1, 1, "5"));

    assertThat(effects.take()).containsExactly("deliver to s1: a1.1 '5' last");
  }

  @Test
  void content_that_waits_for_others_is_not_for_a_new_subscriber() throws Exception {
    BroadcastRelay relay = relay(limits(4, 1), effects, A);
    relay.subscribe(1, SubscribeOptions.defaults());
    receive(relay, A, message(A, 1, "1234"));
    receive(relay, A, message(A, 2, "1234"));
    effects.take();

    relay.subscribe(2, SubscribeOptions.defaults());
    relay.consumed(1, 260);

    assertThat(effects.take())
        .filteredOn(line -> line.startsWith("deliver"))
        .containsExactly("deliver to s1: a2.0 '1234' last");
  }

  @Test
  void a_removed_subscriber_gets_nothing_more() throws Exception {
    BroadcastRelay relay = relay(SMALL, effects, A);
    relay.subscribe(1, SubscribeOptions.defaults());
    receive(relay, A, chunk(A, 1, 0, "1234"));
    effects.take();

    relay.unsubscribe(1);
    receive(relay, A, lastChunk(A, 1, 1, "5"));

    assertThat(effects.take()).isEmpty();
  }

  @Test
  void a_name_that_is_free_again_begins_a_new_subscription() throws Exception {
    BroadcastRelay relay = relay(SMALL, effects, A);
    relay.subscribe(1, SubscribeOptions.defaults());
    receive(relay, A, chunk(A, 1, 0, "1234"));
    relay.unsubscribe(1);
    relay.subscribe(1, SubscribeOptions.defaults());
    effects.take();

    receive(relay, A, lastChunk(A, 1, 1, "5"));
    relay.publish(bytes("y"));

    assertThat(effects.take())
        .filteredOn(line -> line.startsWith("deliver"))
        .containsExactly("deliver to s1: self1.0 'y' last");
  }

  @Test
  void a_name_in_use_is_the_drivers_error() throws Exception {
    BroadcastRelay relay = relay(SMALL, effects, A);
    relay.subscribe(1, SubscribeOptions.defaults());

    assertThatIllegalArgumentException()
        .isThrownBy(() -> relay.subscribe(1, SubscribeOptions.defaults()))
        .withMessageContaining("subscriber 1");
  }

  @Test
  void one_subscriber_too_many_is_refused_until_another_leaves() throws Exception {
    BroadcastRelay relay = relay(SMALL, effects, A);
    relay.subscribe(1, SubscribeOptions.defaults());
    relay.subscribe(2, SubscribeOptions.defaults());
    relay.subscribe(3, SubscribeOptions.defaults());

    assertThatExceptionOfType(BroadcastRefusedException.class)
        .isThrownBy(() -> relay.subscribe(4, SubscribeOptions.defaults()))
        .withMessageContaining("limits.subscribers = 3")
        .satisfies(refusal -> assertThat(refusal.reason()).isEqualTo(Reason.TOO_MANY_SUBSCRIBERS));

    relay.unsubscribe(2);
    relay.subscribe(4, SubscribeOptions.defaults());
  }

  @Test
  void a_total_order_covers_one_topic() {
    SubscribeOptions two = SubscribeOptions.defaults().withTopics(Set.of("t", "u"));
    assertThatExceptionOfType(IllegalArgumentException.class)
        .isThrownBy(two::withTotalOrder)
        .withMessageContainingAll("order", "2");
  }

  @Test
  void a_total_order_has_no_gaps_by_choice() {
    SubscribeOptions skipping = SubscribeOptions.defaults().withWhenSlow(WhenSlow.GAP);
    assertThatExceptionOfType(IllegalArgumentException.class)
        .isThrownBy(skipping::withTotalOrder)
        .withMessageContaining("cannot skip");
  }
}
