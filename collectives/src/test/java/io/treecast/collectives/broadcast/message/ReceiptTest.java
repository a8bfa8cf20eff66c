package io.treecast.collectives.broadcast.message;

import static io.treecast.collectives.broadcast.Examples.A;
import static io.treecast.collectives.broadcast.Examples.B;
import static io.treecast.collectives.broadcast.Examples.C;
import static io.treecast.collectives.broadcast.Examples.FIRST_START;
import static io.treecast.collectives.broadcast.Examples.SELF;
import static io.treecast.collectives.broadcast.Examples.SMALL;
import static io.treecast.collectives.broadcast.Examples.bytes;
import static io.treecast.collectives.broadcast.Examples.limits;
import static io.treecast.collectives.broadcast.Examples.nodes;
import static io.treecast.collectives.broadcast.Examples.open;
import static io.treecast.collectives.broadcast.Examples.receive;
import static io.treecast.collectives.broadcast.Examples.relay;
import static io.treecast.collectives.broadcast.Examples.star;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.treecast.collectives.broadcast.BroadcastRelay;
import io.treecast.collectives.broadcast.Examples;
import io.treecast.collectives.broadcast.RecordingEffects;
import io.treecast.collectives.broadcast.contract.BroadcastLimits;
import io.treecast.collectives.broadcast.contract.BroadcastRefusedException;
import io.treecast.collectives.broadcast.contract.BroadcastRefusedException.Reason;
import io.treecast.collectives.broadcast.contract.SubscribeOptions;
import io.treecast.collectives.broadcast.contract.SubscriptionStart;
import io.treecast.collectives.broadcast.message.Confirmation.Hop;
import io.treecast.collectives.broadcast.message.EdgeMessage.Delivered;
import io.treecast.collectives.broadcast.receipt.Confirmations;
import io.treecast.collectives.broadcast.receipt.ReceiptGathering;
import io.treecast.ghs.LinkWeight;
import io.treecast.ghs.NodeId;
import io.treecast.mst.CommittedTree;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Members report the delivery of a message, and its origin learns it along the tree. */
class ReceiptTest {
  private static final long MILLI = 1_000_000L;
  private static final int WAIT_MILLIS = 10_000;

  private final RecordingEffects effects = new RecordingEffects();

  private static Chunk asking(NodeId origin, long sequence, int index, boolean last) {
    MessageId id = new MessageId(origin, FIRST_START, sequence);
    return new Chunk(id, index, last, 1, 0, bytes("1234"), WAIT_MILLIS, null, false);
  }

  private static Chunk asking(NodeId origin, long sequence) {
    return asking(origin, sequence, 0, true);
  }

  private static void delivered(
      BroadcastRelay relay, NodeId neighbour, NodeId origin, NodeId... members) {
    List<Receipt> receipts = Arrays.stream(members).map(m -> receipt(m, origin, 0)).toList();
    MessageId message = new MessageId(origin, FIRST_START, 1);
    relay.received(neighbour, new Delivered(message, WAIT_MILLIS, receipts));
  }

  private static Receipt receipt(NodeId member, @Nullable NodeId from, long deliveredNanos) {
    return new Receipt(member, from, deliveredNanos, 0);
  }

  private List<String> toldOfDelivery() {
    return effects.take().stream()
        .filter(line -> line.startsWith("delivered") || line.startsWith("confirmed"))
        .toList();
  }

  // At a member.

  @Test
  void a_leaf_reports_its_delivery_at_once() {
    BroadcastRelay relay = relay(SMALL, effects, A);
    receive(relay, A, asking(A, 1, 0, false));
    assertThat(toldOfDelivery()).isEmpty();

    receive(relay, A, asking(A, 1, 1, true));

    assertThat(toldOfDelivery()).containsExactly("delivered to a: a1 by for nobody self<a");
    assertThat(relay.nextDeadlineNanos()).isEqualTo(Long.MAX_VALUE);
  }

  @Test
  void a_message_that_requests_none_gets_no_receipt() {
    BroadcastRelay relay = relay(SMALL, effects, A);

    receive(relay, A, Examples.message(A, 1, "x"));

    assertThat(toldOfDelivery()).isEmpty();
  }

  @Test
  void a_message_is_delivered_when_each_subscriber_has_it() throws Exception {
    BroadcastRelay relay = relay(limits(10, 1), effects, A);
    relay.subscribe(1, SubscribeOptions.defaults());
    relay.subscribe(2, SubscribeOptions.defaults());
    receive(relay, A, asking(A, 1, 0, false));
    receive(relay, A, asking(A, 1, 1, true));
    assertThat(toldOfDelivery()).isEmpty();

    relay.consumed(1, Chunk.cost(4));
    assertThat(toldOfDelivery()).isEmpty();
    relay.consumed(2, Chunk.cost(4));

    assertThat(toldOfDelivery()).containsExactly("delivered to a: a1 by self<a");
  }

  @Test
  void a_message_that_a_leaving_subscriber_had_is_confirmed_when_the_others_have_it()
      throws Exception {
    BroadcastRelay relay = relay(limits(10, 1), effects, A);
    relay.subscribe(1, SubscribeOptions.defaults());
    relay.subscribe(2, SubscribeOptions.defaults());
    receive(relay, A, asking(A, 1));
    receive(relay, A, asking(A, 2));
    relay.consumed(1, Chunk.cost(4));
    toldOfDelivery();

    relay.unsubscribe(1);
    assertThat(toldOfDelivery()).isEmpty();
    relay.consumed(2, Chunk.cost(4));

    assertThat(toldOfDelivery()).containsExactly("delivered to a: a2 by self<a");
  }

  @Test
  void a_subscriber_that_came_in_the_middle_of_a_message_and_goes_did_not_lack_it()
      throws Exception {
    BroadcastRelay relay = relay(SMALL, effects, A);
    receive(relay, A, asking(A, 1, 0, false));
    relay.subscribe(1, SubscribeOptions.defaults());

    relay.unsubscribe(1);
    receive(relay, A, asking(A, 1, 1, true));

    assertThat(toldOfDelivery()).containsExactly("delivered to a: a1 by for nobody self<a");
  }

  @Test
  void a_message_from_before_the_first_tree_was_handed_to_no_subscriber() {
    BroadcastRelay relay = new BroadcastRelay(SELF, FIRST_START, SMALL, effects);
    relay.activeEdges(nodes(A));
    open(relay, A);
    receive(relay, A, asking(A, 1));
    assertThat(toldOfDelivery()).isEmpty();

    relay.treeCommitted(new CommittedTree(2, SELF, star(A).edges()));

    assertThat(toldOfDelivery()).containsExactly("delivered to a: a1 by for nobody self<a");
  }

  @Test
  void a_member_whose_subscriber_is_away_hands_the_message_to_none() throws Exception {
    BroadcastRelay relay = relay(SMALL, effects, A);
    relay.subscribe(1, SubscribeOptions.defaults());
    receive(relay, A, asking(A, 1));
    assertThat(toldOfDelivery()).containsExactly("delivered to a: a1 by self<a");

    relay.unsubscribe(1);
    receive(relay, A, asking(A, 2));
    assertThat(toldOfDelivery()).containsExactly("delivered to a: a2 by for nobody self<a");

    SubscriptionStart after =
        new SubscriptionStart.After(List.of(new MessageId(A, FIRST_START, 2)));
    relay.subscribe(2, SubscribeOptions.defaults().withStart(after));
    receive(relay, A, asking(A, 3));
    assertThat(toldOfDelivery()).containsExactly("delivered to a: a3 by self<a");
  }

  @Test
  void a_subscriber_that_begins_later_was_not_handed_the_message() throws Exception {
    BroadcastRelay relay = relay(SMALL, effects, A);
    SubscriptionStart after =
        new SubscriptionStart.After(List.of(new MessageId(A, FIRST_START, 1)));
    relay.subscribe(1, SubscribeOptions.defaults().withStart(after));

    receive(relay, A, asking(A, 1));

    assertThat(toldOfDelivery()).containsExactly("delivered to a: a1 by for nobody self<a");
  }

  private static List<Hop> hops(BroadcastRelay relay, MessageId message) {
    return Objects.requireNonNull(relay.confirmation(message)).delivered();
  }

  @Test
  void the_subscriber_of_a_new_incarnation_counts_though_the_old_one_had_none() throws Exception {
    BroadcastRelay relay = relay(SMALL, effects, A, B);
    MessageId message = relay.publish(Topic.DEFAULT, bytes("x"), WAIT_MILLIS, null);
    Receipt ofNobody = new Receipt(A, SELF, 0, 0, Receipt.Outcome.WITHOUT_SUBSCRIBER);

    relay.received(A, new Delivered(message, WAIT_MILLIS, List.of(ofNobody)));
    assertThat(hops(relay, message))
        .filteredOn(hop -> hop.member().equals(A))
        .extracting(Hop::isHandedOver)
        .containsExactly(false);
    relay.received(A, new Delivered(message, WAIT_MILLIS, List.of(receipt(A, SELF, 0))));
    relay.received(A, new Delivered(message, WAIT_MILLIS, List.of(ofNobody)));

    assertThat(hops(relay, message))
        .filteredOn(hop -> hop.member().equals(A))
        .extracting(Hop::isHandedOver)
        .containsExactly(true);
  }

  @Test
  void a_member_waits_for_those_behind_it_and_sends_all_receipts_at_once() {
    BroadcastRelay relay = relay(SMALL, effects, A, B, C);
    receive(relay, A, asking(A, 1));
    delivered(relay, B, A, B);
    assertThat(toldOfDelivery()).isEmpty();

    delivered(relay, C, A, C);

    assertThat(toldOfDelivery()).containsExactly("delivered to a: a1 by b<a c<a for nobody self<a");
    assertThat(relay.counters().receiptMessages()).isEqualTo(1);
  }

  @Test
  void the_receipts_of_the_others_are_sent_a_little_later_when_some_are_slow() {
    BroadcastRelay relay = relay(SMALL, effects, A, B, C);
    receive(relay, A, asking(A, 1));
    delivered(relay, B, A, B);
    long dueNanos = relay.nextDeadlineNanos();
    assertThat(dueNanos)
        .as("the round trip of 100 us, and a quarter more")
        .isEqualTo(ReceiptGathering.PATIENCE_NANOS + 125_000);

    relay.tick(dueNanos - 1);
    assertThat(toldOfDelivery()).isEmpty();
    relay.tick(dueNanos);
    assertThat(toldOfDelivery()).containsExactly("delivered to a: a1 by b<a for nobody self<a");
    assertThat(relay.nextDeadlineNanos()).isEqualTo(Long.MAX_VALUE);

    delivered(relay, C, A, C);
    assertThat(toldOfDelivery()).containsExactly("delivered to a: a1 by c<a");
  }

  @Test
  void known_receipts_are_sent_in_time_for_an_impatient_origin() {
    BroadcastRelay relay = relay(SMALL, effects, A, B);
    MessageId id = new MessageId(A, FIRST_START, 1);
    receive(relay, A, new Chunk(id, 0, true, 1, 0, bytes("1234"), 400, null, false));

    assertThat(relay.nextDeadlineNanos())
        .as("a tenth and the round trip to the origin before it stops waiting")
        .isEqualTo(400 * MILLI - 40 * MILLI - 125_000);
    relay.tick(relay.nextDeadlineNanos());
    assertThat(toldOfDelivery()).containsExactly("delivered to a: a1 by for nobody self<a");

    delivered(relay, B, A, B);
    assertThat(toldOfDelivery()).as("all are known").hasSize(1);
  }

  @Test
  void all_receipts_are_sent_again_on_a_new_stream() {
    BroadcastRelay relay = relay(SMALL, effects, A);
    receive(relay, A, asking(A, 1));
    toldOfDelivery();
    relay.streamClosed(A);

    open(relay, A);

    assertThat(toldOfDelivery()).containsExactly("delivered to a: a1 by for nobody self<a");
  }

  @Test
  void a_member_that_is_next_on_the_path_in_a_new_tree_gets_all_receipts() {
    BroadcastRelay relay = relay(SMALL, effects, A, B);
    receive(relay, A, asking(A, 1));
    delivered(relay, B, A, B);
    toldOfDelivery();

    relay.treeCommitted(
        new CommittedTree(
            2, SELF, List.of(LinkWeight.between(SELF, B, 1), LinkWeight.between(A, B, 1))));

    assertThat(toldOfDelivery()).containsExactly("delivered to b: a1 by b<a for nobody self<a");
  }

  @Test
  void receipts_that_the_origin_no_longer_awaits_are_not_sent_again() {
    BroadcastRelay relay = relay(SMALL, effects, A);
    receive(relay, A, asking(A, 1));
    toldOfDelivery();
    relay.streamClosed(A);
    relay.tick(WAIT_MILLIS * MILLI);

    open(relay, A);

    assertThat(toldOfDelivery()).isEmpty();
  }

  @Test
  void receipts_that_come_before_the_message_are_kept() {
    BroadcastRelay relay = relay(SMALL, effects, A, B);
    delivered(relay, B, A, B);
    toldOfDelivery();

    receive(relay, A, asking(A, 1));

    assertThat(toldOfDelivery()).containsExactly("delivered to a: a1 by b<a for nobody self<a");
  }

  @Test
  void the_oldest_messages_are_forgotten_when_receipts_are_too_many() {
    BroadcastRelay relay = relay(SMALL, effects, A);
    int kept = ReceiptGathering.MAX_RECEIPTS / 2;
    for (long sequence = 1; sequence <= kept + 3; sequence++) {
      receive(relay, A, asking(A, sequence));
    }
    toldOfDelivery();
    relay.streamClosed(A);

    open(relay, A);

    assertThat(toldOfDelivery())
        .hasSize(kept)
        .first()
        .isEqualTo("delivered to a: a4 by for nobody self<a");
  }

  // At the origin.

  @Test
  void the_origin_learns_all_members_delivery_times() throws Exception {
    BroadcastRelay relay = relay(SMALL, effects, A, B);
    relay.tick(5 * MILLI);
    MessageId message = relay.publish(Topic.DEFAULT, bytes("x"), WAIT_MILLIS, null);
    relay.received(
        A, new Delivered(message, WAIT_MILLIS, List.of(new Receipt(A, SELF, 8 * MILLI, 40))));
    assertThat(toldOfDelivery()).isEmpty();
    assertThat(relay.confirmation(message))
        .returns(false, Confirmation::isSettled)
        .returns(List.of(B), Confirmation::unknown);

    relay.received(
        B, new Delivered(message, WAIT_MILLIS, List.of(new Receipt(B, SELF, 4 * MILLI, MILLI))));

    assertThat(toldOfDelivery())
        .containsExactly("confirmed self1: delivered [a, b, self] failed [] unknown []");
    assertThat(relay.confirmation(message))
        .isEqualTo(
            new Confirmation(
                message,
                1,
                List.of(
                    new Hop(A, SELF, 3 * MILLI, 40),
                    new Hop(B, SELF, 0, MILLI),
                    new Hop(SELF, null, 0, 0, false)),
                List.of(),
                List.of(),
                true));
    assertThat(relay.nextDeadlineNanos()).isEqualTo(Long.MAX_VALUE);
  }

  @Test
  void a_member_alone_confirms_at_once() throws Exception {
    BroadcastRelay relay = relay(SMALL, effects);

    relay.publish(Topic.DEFAULT, bytes("x"), WAIT_MILLIS, null);

    assertThat(toldOfDelivery())
        .containsExactly("confirmed self1: delivered [self] failed [] unknown []");
  }

  @Test
  void a_member_that_has_not_confirmed_in_time_is_unknown() throws Exception {
    BroadcastRelay relay = relay(SMALL, effects, A, B);
    MessageId message = relay.publish(Topic.DEFAULT, bytes("x"), WAIT_MILLIS, null);
    delivered(relay, A, SELF, A);
    assertThat(relay.nextDeadlineNanos()).isEqualTo(WAIT_MILLIS * MILLI);

    relay.tick(WAIT_MILLIS * MILLI);

    assertThat(toldOfDelivery())
        .containsExactly("confirmed self1: delivered [a, self] failed [] unknown [b]");
    delivered(relay, B, SELF, B);
    assertThat(toldOfDelivery()).isEmpty();
    assertThat(relay.confirmation(message)).returns(List.of(B), Confirmation::unknown);
  }

  @Test
  void a_member_that_left_the_tree_has_failed() throws Exception {
    BroadcastRelay relay = relay(SMALL, effects, A, B);
    relay.publish(Topic.DEFAULT, bytes("x"), WAIT_MILLIS, null);
    delivered(relay, A, SELF, A);

    relay.treeCommitted(new CommittedTree(2, SELF, star(A).edges()));

    assertThat(toldOfDelivery())
        .containsExactly("confirmed self1: delivered [a, self] failed [b] unknown []");
  }

  @Test
  void a_member_that_delivered_and_left_has_delivered() throws Exception {
    BroadcastRelay relay = relay(SMALL, effects, A, B);
    relay.publish(Topic.DEFAULT, bytes("x"), WAIT_MILLIS, null);
    delivered(relay, B, SELF, B);
    relay.treeCommitted(new CommittedTree(2, SELF, star(A).edges()));

    delivered(relay, A, SELF, A);

    assertThat(toldOfDelivery())
        .containsExactly("confirmed self1: delivered [a, b, self] failed [] unknown []");
  }

  @Test
  void receipts_for_an_earlier_start_of_the_origin_are_ignored() {
    BroadcastRelay relay = relay(SMALL, effects, A);

    relay.received(
        A,
        new Delivered(
            new MessageId(SELF, FIRST_START + 1, 1), WAIT_MILLIS, List.of(receipt(A, SELF, 0))));

    assertThat(effects.take()).isEmpty();
  }

  @Test
  void a_receipt_for_an_unpublished_message_is_dropped_without_a_violation() throws Exception {
    BroadcastRelay relay = relay(SMALL, effects, A);

    delivered(relay, A, SELF, A);
    assertThat(effects.take()).isEmpty();
    relay.publish(Topic.DEFAULT, bytes("x"), WAIT_MILLIS, null);

    assertThat(toldOfDelivery()).as("a has not confirmed what was published later").isEmpty();
    delivered(relay, A, SELF, A);
    assertThat(toldOfDelivery())
        .containsExactly("confirmed self1: delivered [a, self] failed [] unknown []");
  }

  private static final BroadcastLimits ROOMY =
      BroadcastLimits.builder()
          .chunkBytes(4)
          .payloadBytes(40)
          .publishBufferBytes(10_000 * Chunk.cost(4))
          .logBytes(100_000 * Chunk.cost(4))
          .edgeWindowBytes(Chunk.cost(4))
          .subscriberWindowBytes(Chunk.cost(4))
          .subscribers(3)
          .topics(3)
          .origins(3)
          .build();

  private static List<MessageId> publishAsking(BroadcastRelay relay, int messages)
      throws BroadcastRefusedException {
    List<MessageId> published = new ArrayList<>();
    for (int i = 0; i < messages; i++) {
      published.add(relay.publish(Topic.DEFAULT, bytes(""), WAIT_MILLIS, null));
    }
    return published;
  }

  private static void assertNoMoreMayAsk(BroadcastRelay relay) {
    assertThatExceptionOfType(BroadcastRefusedException.class)
        .isThrownBy(() -> relay.publish(Topic.DEFAULT, bytes(""), WAIT_MILLIS, null))
        .withMessageMatching("4096 broadcasts .*\\b(4096|8192) members .*")
        .returns(Reason.TOO_MANY_CONFIRMATIONS, BroadcastRefusedException::reason);
  }

  @Test
  void too_many_unconfirmed_messages_are_refused() throws Exception {
    BroadcastRelay relay = relay(ROOMY, effects, A);
    publishAsking(relay, Confirmations.MAX_AWAITED);

    assertNoMoreMayAsk(relay);
    assertThat(relay.publish(bytes("")).sequence()).isEqualTo(Confirmations.MAX_AWAITED + 1L);
  }

  @Test
  void a_settled_confirmation_waits_for_its_publishers_query() throws Exception {
    BroadcastRelay relay = relay(ROOMY, effects);
    List<MessageId> published = publishAsking(relay, Confirmations.MAX_AWAITED);
    assertNoMoreMayAsk(relay);

    assertThat(published)
        .allSatisfy(
            message ->
                assertThat(relay.confirmation(message))
                    .returns(List.of(), Confirmation::unknown)
                    .returns(true, Confirmation::isSettled));
    publishAsking(relay, Confirmations.MAX_AWAITED);
  }

  @Test
  void a_confirmation_queried_before_it_is_settled_takes_no_room_afterwards() throws Exception {
    BroadcastRelay relay = relay(ROOMY, effects, A);
    List<MessageId> published = publishAsking(relay, Confirmations.MAX_AWAITED);
    published.forEach(relay::confirmation);
    relay.treeCommitted(new CommittedTree(2, SELF, List.of()));

    publishAsking(relay, Confirmations.MAX_AWAITED);
  }

  @Test
  void an_unqueried_confirmation_takes_no_room_after_half_a_minute() throws Exception {
    BroadcastRelay relay = relay(ROOMY, effects);
    List<MessageId> published = publishAsking(relay, Confirmations.MAX_AWAITED);
    relay.tick(30_000 * MILLI - 1);
    assertNoMoreMayAsk(relay);
    relay.tick(30_000 * MILLI);

    int room = Confirmations.MAX_REMEMBERED - Confirmations.MAX_AWAITED;
    publishAsking(relay, room + 1);

    assertThat(relay.confirmation(published.get(0))).as("the oldest").isNull();
    assertThat(relay.confirmation(published.get(1))).as("the second oldest").isNotNull();
  }

  @Test
  void the_time_to_wait_has_a_limit() {
    BroadcastRelay relay = relay(SMALL, effects);

    assertThatIllegalArgumentException()
        .isThrownBy(
            () -> relay.publish(Topic.DEFAULT, bytes("x"), Chunk.MAX_RECEIPT_MILLIS + 1, null))
        .withMessage("receiptMillis is 3600001; allowed are 0 to 3600000");
  }

  @Test
  void a_receipt_by_another_clock_is_as_uncertain_as_the_two_together() {
    assertThat(new Receipt(A, B, 100, 5).byClock(-30, 7)).isEqualTo(new Receipt(A, B, 70, 12));
    assertThat(new Receipt(A, B, 100, 5).byClock(1, Long.MAX_VALUE).errorNanos())
        .isEqualTo(Long.MAX_VALUE);
  }
}
