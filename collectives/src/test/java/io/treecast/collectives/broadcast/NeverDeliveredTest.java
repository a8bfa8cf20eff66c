package io.treecast.collectives.broadcast;

import static io.treecast.collectives.broadcast.Examples.A;
import static io.treecast.collectives.broadcast.Examples.B;
import static io.treecast.collectives.broadcast.Examples.FIRST_START;
import static io.treecast.collectives.broadcast.Examples.SELF;
import static io.treecast.collectives.broadcast.Examples.SMALL;
import static io.treecast.collectives.broadcast.Examples.bytes;
import static io.treecast.collectives.broadcast.Examples.gap;
import static io.treecast.collectives.broadcast.Examples.limits;
import static io.treecast.collectives.broadcast.Examples.receive;
import static io.treecast.collectives.broadcast.Examples.relay;
import static io.treecast.collectives.broadcast.Examples.star;
import static org.assertj.core.api.Assertions.assertThat;

import io.treecast.collectives.broadcast.contract.SubscribeOptions;
import io.treecast.collectives.broadcast.message.Chunk;
import io.treecast.collectives.broadcast.message.EdgeMessage.Delivered;
import io.treecast.collectives.broadcast.message.MessageId;
import io.treecast.collectives.broadcast.message.Position;
import io.treecast.collectives.broadcast.message.Receipt;
import io.treecast.collectives.broadcast.message.StreamId;
import io.treecast.collectives.broadcast.message.StreamPosition;
import io.treecast.collectives.broadcast.message.Topic;
import io.treecast.ghs.NodeId;
import io.treecast.mst.CommittedTree;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Members that will never deliver a message report that, and are not waited for. */
class NeverDeliveredTest {
  private static final int WAIT_MILLIS = 10_000;

  private final RecordingEffects effects = new RecordingEffects();

  private static Chunk asking(NodeId origin, long sequence, int index, boolean last) {
    MessageId id = new MessageId(origin, FIRST_START, sequence);
    return new Chunk(id, index, last, 1, 0, bytes("1234"), WAIT_MILLIS, null, false);
  }

  private static Chunk asking(NodeId origin, long sequence) {
    return asking(origin, sequence, 0, true);
  }

  private static void delivered(BroadcastRelay relay, NodeId neighbour) {
    says(relay, neighbour, SELF, new Receipt(neighbour, SELF, 0, 0));
  }

  private static void says(BroadcastRelay relay, NodeId neighbour, NodeId origin, Receipt receipt) {
    MessageId message = new MessageId(origin, FIRST_START, 1);
    relay.received(neighbour, new Delivered(message, WAIT_MILLIS, List.of(receipt)));
  }

  private List<String> toldOfDelivery() {
    return effects.take().stream()
        .filter(line -> line.startsWith("delivered") || line.startsWith("confirmed"))
        .toList();
  }

  private static void restarts(BroadcastRelay relay, NodeId member) {
    for (long life = FIRST_START; life <= FIRST_START + 1; life++) {
      StreamPosition begin = new StreamPosition(new StreamId(member, life), Position.START);
      Examples.digest(relay, A, begin);
    }
  }

  @Test
  void a_message_that_a_leaving_subscriber_lacked_is_reported_as_never_delivered()
      throws Exception {
    BroadcastRelay relay = relay(limits(10, 1), effects, A);
    relay.subscribe(1, SubscribeOptions.defaults());
    receive(relay, A, asking(A, 1, 0, false));
    receive(relay, A, asking(A, 1, 1, true));
    receive(relay, A, asking(A, 2, 0, false));

    relay.unsubscribe(1);
    assertThat(toldOfDelivery())
        .containsExactly("delivered to a: a1 by never self", "delivered to a: a2 by never self");
    receive(relay, A, asking(A, 2, 1, true));
    receive(relay, A, asking(A, 3));

    assertThat(toldOfDelivery()).containsExactly("delivered to a: a3 by for nobody self<a");
  }

  @Test
  void a_message_missed_in_part_is_reported_as_never_delivered() {
    BroadcastRelay relay = relay(SMALL, effects, A);
    receive(relay, A, asking(A, 1, 0, false));
    receive(relay, A, gap(A, new Position(1, 1), new Position(1, 2)));

    receive(relay, A, asking(A, 1, 2, true));

    assertThat(toldOfDelivery()).containsExactly("delivered to a: a1 by never self");
  }

  @Test
  void a_message_whose_beginning_is_missed_is_reported_as_never_delivered_when_more_comes() {
    BroadcastRelay relay = relay(SMALL, effects, A);
    receive(relay, A, gap(A, Position.START, new Position(2, 1)));
    receive(relay, A, gap(A, new Position(2, 1), new Position(2, 2)));
    assertThat(toldOfDelivery()).isEmpty();

    receive(relay, A, asking(A, 2, 2, false));
    assertThat(toldOfDelivery()).containsExactly("delivered to a: a2 by never self");
    receive(relay, A, asking(A, 2, 3, true));
    receive(relay, A, asking(A, 3));

    assertThat(toldOfDelivery()).containsExactly("delivered to a: a3 by for nobody self<a");
  }

  @Test
  void a_member_that_will_never_deliver_is_not_waited_for_by_others() {
    BroadcastRelay relay = relay(SMALL, effects, A, B);
    receive(relay, A, asking(A, 1));
    assertThat(toldOfDelivery()).isEmpty();

    says(relay, B, A, Receipt.never(B));

    assertThat(toldOfDelivery()).containsExactly("delivered to a: a1 by never b for nobody self<a");
  }

  @Test
  void a_member_that_will_never_deliver_is_unknown_at_once() throws Exception {
    BroadcastRelay relay = relay(SMALL, effects, A, B);
    relay.publish(Topic.DEFAULT, bytes("x"), WAIT_MILLIS, null);
    delivered(relay, A);
    says(relay, B, SELF, Receipt.never(B));

    assertThat(toldOfDelivery())
        .containsExactly("confirmed self1: delivered [a, self] failed [] unknown [b]");
  }

  @Test
  void a_member_that_delivered_in_another_incarnation_has_delivered() throws Exception {
    BroadcastRelay relay = relay(SMALL, effects, A, B);
    relay.publish(Topic.DEFAULT, bytes("x"), WAIT_MILLIS, null);
    says(relay, B, SELF, Receipt.never(B));
    delivered(relay, B);
    says(relay, A, SELF, Receipt.never(A));
    delivered(relay, A);

    assertThat(toldOfDelivery())
        .containsExactly("confirmed self1: delivered [b, self] failed [] unknown [a]");
  }

  @Test
  void a_restarted_member_is_unknown_at_once_when_it_is_back_in_the_tree() throws Exception {
    BroadcastRelay relay = relay(SMALL, effects, A, B);
    relay.publish(Topic.DEFAULT, bytes("x"), WAIT_MILLIS, null);
    delivered(relay, A);
    relay.treeCommitted(new CommittedTree(2, SELF, star(A, B).edges()));
    assertThat(toldOfDelivery()).isEmpty();

    restarts(relay, B);

    assertThat(toldOfDelivery())
        .containsExactly("confirmed self1: delivered [a, self] failed [] unknown [b]");
  }

  @Test
  void a_message_published_in_a_tree_with_a_restarted_member_is_awaited() throws Exception {
    BroadcastRelay relay = relay(SMALL, effects, A, B);
    relay.publish(Topic.DEFAULT, bytes("x"), WAIT_MILLIS, null);
    delivered(relay, A);

    restarts(relay, B);
    assertThat(toldOfDelivery()).isEmpty();
    delivered(relay, B);

    assertThat(toldOfDelivery())
        .containsExactly("confirmed self1: delivered [a, b, self] failed [] unknown []");
  }

  @Test
  void a_member_that_will_never_have_the_rest_of_an_upload_is_unknown_at_its_end()
      throws Exception {
    BroadcastRelay relay = relay(limits(10, 1), effects);
    relay.subscribe(1, SubscribeOptions.defaults());
    relay.uploads().begin(7, Topic.DEFAULT, WAIT_MILLIS);
    relay.uploads().add(7, bytes("1234"));
    relay.unsubscribe(1);
    assertThat(toldOfDelivery()).isEmpty();
    relay.uploads().end(7, null);

    assertThat(toldOfDelivery())
        .containsExactly("confirmed self1: delivered [] failed [] unknown [self]");
  }
}
