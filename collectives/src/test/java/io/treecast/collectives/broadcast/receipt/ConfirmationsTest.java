package io.treecast.collectives.broadcast.receipt;

import static io.treecast.collectives.broadcast.Examples.A;
import static io.treecast.collectives.broadcast.Examples.B;
import static io.treecast.collectives.broadcast.Examples.C;
import static io.treecast.collectives.broadcast.Examples.FIRST_START;
import static io.treecast.collectives.broadcast.Examples.SELF;
import static io.treecast.collectives.broadcast.Examples.SMALL;
import static io.treecast.collectives.broadcast.Examples.bytes;
import static io.treecast.collectives.broadcast.Examples.relayOfUploads;
import static io.treecast.collectives.broadcast.Examples.star;
import static org.assertj.core.api.Assertions.assertThat;

import io.treecast.collectives.broadcast.BroadcastRelay;
import io.treecast.collectives.broadcast.RecordingEffects;
import io.treecast.collectives.broadcast.message.Chunk;
import io.treecast.collectives.broadcast.message.Confirmation;
import io.treecast.collectives.broadcast.message.EdgeMessage;
import io.treecast.collectives.broadcast.message.MessageId;
import io.treecast.collectives.broadcast.message.Receipt;
import io.treecast.collectives.broadcast.message.Topic;
import io.treecast.ghs.NodeId;
import io.treecast.mst.CommittedTree;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** The memory of an origin for the messages whose members are to confirm. */
class ConfirmationsTest {
  private static final int MEMBERS = 1_000;
  private static final int WAIT_MILLIS = 60_000;
  private static final long MILLI = 1_000_000;

  private final List<Confirmation> settled = new ArrayList<>();
  private final Confirmations confirmations = new Confirmations(settled::add);
  private long lastSequence;

  private static SortedSet<NodeId> many() {
    SortedSet<NodeId> members = new TreeSet<>();
    IntStream.range(0, MEMBERS).forEach(i -> members.add(NodeId.of("n" + i)));
    return members;
  }

  private Chunk chunk(long sequence, int index, boolean last, boolean abandoned) {
    return new Chunk(
        new MessageId(SELF, FIRST_START, sequence),
        index,
        last,
        1,
        0,
        ByteBuffer.allocate(0),
        WAIT_MILLIS,
        null,
        abandoned);
  }

  private MessageId publish() {
    Chunk whole = chunk(++lastSequence, 0, true, false);
    confirmations.publishes(whole);
    return whole.messageId();
  }

  private int publishWhatThereIsRoomFor() {
    int messages = 0;
    while (confirmations.hasRoom()) {
      publish();
      messages++;
    }
    return messages;
  }

  @Test
  void awaited_confirmations_are_bounded_by_the_number_of_their_members() {
    confirmations.treeCommitted(1, many());

    assertThat(publishWhatThereIsRoomFor()).isEqualTo(Confirmations.MAX_AWAITED_MEMBERS / MEMBERS);
    assertThat(confirmations.describeAwaited()).contains("262 broadcasts");
  }

  @Test
  void room_is_released_by_queried_settled_and_abandoned_messages() {
    int room = Confirmations.MAX_AWAITED_MEMBERS / MEMBERS;
    confirmations.treeCommitted(1, many());
    assertThat(publishWhatThereIsRoomFor()).isEqualTo(room);
    IntStream.rangeClosed(1, 100)
        .forEach(i -> confirmations.find(new MessageId(SELF, FIRST_START, i)));

    confirmations.tick(WAIT_MILLIS * MILLI);
    assertThat(settled).hasSize(room);
    assertThat(publishWhatThereIsRoomFor()).as("those that were asked for").isEqualTo(100);

    confirmations.find(new MessageId(SELF, FIRST_START, 200));
    assertThat(publishWhatThereIsRoomFor()).as("one that was due").isOne();

    confirmations.tick(2 * WAIT_MILLIS * MILLI);
    confirmations.publishes(chunk(++lastSequence, 0, false, false));
    confirmations.publishes(chunk(lastSequence, 1, true, true));
    confirmations.tick(3 * WAIT_MILLIS * MILLI);
    assertThat(publishWhatThereIsRoomFor()).as("nothing is awaited").isEqualTo(room);
  }

  @Test
  void receipts_share_the_names_of_members() {
    SortedSet<NodeId> members = new TreeSet<>(List.of(A, SELF));
    confirmations.treeCommitted(1, members);
    MessageId message = publish();

    confirmations.add(
        message,
        List.of(
            new Receipt(NodeId.of(SELF.toString()), null, 0, 0),
            new Receipt(NodeId.of("stranger"), null, 0, 0)));
    assertThat(settled).isEmpty();
    confirmations.add(
        message, List.of(new Receipt(NodeId.of(A.toString()), NodeId.of(SELF.toString()), 0, 0)));

    List<Confirmation.Hop> hops = settled.get(0).delivered();
    assertThat(hops).hasSize(2);
    assertThat(hops.get(0).member()).isSameAs(A);
    assertThat(Objects.requireNonNull(hops.get(0).from())).isSameAs(SELF);
    assertThat(hops.get(1).member()).isSameAs(SELF);
    assertThat(hops.get(1).from()).isNull();
  }

  @Test
  void an_upload_is_confirmed_by_the_members_with_which_it_began() throws Exception {
    RecordingEffects effects = new RecordingEffects();
    BroadcastRelay relay = relayOfUploads(SMALL, effects, A, B);
    MessageId upload = relay.uploads().begin(7, Topic.DEFAULT, WAIT_MILLIS);

    relay.treeCommitted(new CommittedTree(2, SELF, star(A, C).edges()));
    relay.uploads().add(7, bytes("1234"));
    relay.uploads().end(7, null);
    relay.received(
        A, new EdgeMessage.Delivered(upload, WAIT_MILLIS, List.of(new Receipt(A, SELF, 0, 0))));

    Confirmation confirmation = Objects.requireNonNull(relay.confirmation(upload));
    assertThat(confirmation.isSettled()).isTrue();
    assertThat(confirmation.treeVersion()).isOne();
    assertThat(confirmation.delivered()).extracting(Confirmation.Hop::member).contains(A, SELF);
    assertThat(confirmation.failed()).containsExactly(B);
    assertThat(confirmation.unknown()).isEmpty();
  }

  @Test
  void an_upload_that_is_abandoned_before_its_first_piece_awaits_nothing() throws Exception {
    BroadcastRelay relay = relayOfUploads(SMALL, new RecordingEffects(), A);
    MessageId upload = relay.uploads().begin(7, Topic.DEFAULT, WAIT_MILLIS);
    assertThat(relay.confirmation(upload)).isNotNull();

    relay.uploads().abandon(7);

    assertThat(relay.confirmation(upload)).isNull();
  }
}
