package io.treecast.collectives.broadcast;

import static io.treecast.collectives.broadcast.Examples.A;
import static io.treecast.collectives.broadcast.Examples.FIRST_START;
import static io.treecast.collectives.broadcast.Examples.SELF;
import static io.treecast.collectives.broadcast.Examples.bytes;
import static io.treecast.collectives.broadcast.Examples.receive;
import static io.treecast.collectives.broadcast.Examples.relay;
import static org.assertj.core.api.Assertions.assertThat;

import io.treecast.collectives.broadcast.contract.BroadcastLimits;
import io.treecast.collectives.broadcast.contract.SubscribeOptions;
import io.treecast.collectives.broadcast.contract.WhenSlow;
import io.treecast.collectives.broadcast.message.Chunk;
import io.treecast.collectives.broadcast.message.MessageId;
import io.treecast.collectives.broadcast.message.Position;
import io.treecast.collectives.broadcast.message.StreamId;
import io.treecast.collectives.broadcast.receipt.Confirmations;
import io.treecast.collectives.broadcast.subscribe.DeliveryWatch;
import io.treecast.ghs.NodeId;
import java.lang.ref.WeakReference;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

/** The memory of a member for undelivered messages, and for those not confirmed. */
class WatchedDeliveryTest {
  private static final long MILLI = 1_000_000L;
  private static final int WAIT_MILLIS = 10_000;

  /** Room for more messages than are watched, and for one with a subscriber. */
  private static final BroadcastLimits ROOMY =
      BroadcastLimits.builder()
          .chunkBytes(4)
          .payloadBytes(40)
          .publishBufferBytes(10 * Chunk.cost(4))
          .logBytes(2L * DeliveryWatch.MAX_WATCHED * Chunk.cost(4))
          .edgeWindowBytes(10 * Chunk.cost(4))
          .subscriberWindowBytes(Chunk.cost(4))
          .subscribers(3)
          .topics(3)
          .origins(3)
          .build();

  private final RecordingEffects effects = new RecordingEffects();

  private static Chunk asking(long sequence) {
    MessageId id = new MessageId(A, FIRST_START, sequence);
    return new Chunk(id, 0, true, 1, 0, bytes("1234"), WAIT_MILLIS, null, false);
  }

  private List<String> toldOfDelivery() {
    return effects.take().stream().filter(line -> line.startsWith("delivered")).toList();
  }

  /** Returns a relay with a stalled subscriber that publishers do not wait for. */
  private BroadcastRelay withStalledSubscriber() throws Exception {
    BroadcastRelay relay = relay(ROOMY, effects, A);
    relay.subscribe(1, SubscribeOptions.defaults().withWhenSlow(WhenSlow.CATCH_UP));
    return relay;
  }

  @Test
  void a_message_that_its_origin_no_longer_awaits_is_not_watched() throws Exception {
    BroadcastRelay relay = withStalledSubscriber();
    receive(relay, A, asking(1));
    receive(relay, A, asking(2));
    relay.tick(5 * MILLI);
    receive(relay, A, asking(3));
    toldOfDelivery();

    relay.tick(WAIT_MILLIS * MILLI);
    relay.consumed(1, Chunk.cost(4));
    relay.consumed(1, Chunk.cost(4));

    assertThat(toldOfDelivery()).containsExactly("delivered to a: a3 by self<a");
  }

  @Test
  void the_messages_whose_origins_stop_waiting_first_are_forgotten_first() throws Exception {
    BroadcastRelay relay = withStalledSubscriber();
    int messages = DeliveryWatch.MAX_WATCHED + 3;
    for (long sequence = 1; sequence <= messages; sequence++) {
      receive(relay, A, asking(sequence));
    }
    toldOfDelivery();

    for (int i = 1; i < messages; i++) {
      relay.consumed(1, Chunk.cost(4));
    }

    // The first one was delivered at once.
    assertThat(toldOfDelivery())
        .hasSize(DeliveryWatch.MAX_WATCHED)
        .first()
        .isEqualTo("delivered to a: a4 by self<a");
  }

  @Test
  void the_payload_of_a_message_that_is_not_delivered_is_not_kept() {
    DeliveryWatch watch = new DeliveryWatch();
    WeakReference<byte[]> payload = withPayload(chunk -> watch.logs(chunk, A));

    assertThat(isCollected(payload)).isTrue();
    assertThat(watched(watch)).containsExactly(new MessageId(A, FIRST_START, 1));
  }

  @Test
  void the_payload_of_a_message_that_is_not_confirmed_is_not_kept() {
    Confirmations confirmations = new Confirmations(confirmation -> {});
    confirmations.treeCommitted(1, new TreeSet<>(List.of(A, SELF)));
    WeakReference<byte[]> payload = withPayload(confirmations::publishes);

    assertThat(isCollected(payload)).isTrue();
    assertThat(confirmations.find(new MessageId(A, FIRST_START, 1))).isNotNull();
  }

  @Test
  void the_oldest_confirmations_that_name_very_many_members_are_forgotten() {
    Confirmations confirmations = new Confirmations(confirmation -> {});
    TreeSet<NodeId> members = new TreeSet<>();
    for (int i = 0; i < Confirmations.MAX_REMEMBERED_MEMBERS / 2; i++) {
      members.add(NodeId.of("n" + i));
    }
    for (long sequence = 1; sequence <= 3; sequence++) {
      confirmations.treeCommitted(1, members);
      confirmations.publishes(asking(sequence));
      confirmations.find(asking(sequence).messageId());
      confirmations.treeCommitted(1, new TreeSet<>());
    }

    assertThat(confirmations.find(asking(1).messageId())).isNull();
    assertThat(confirmations.find(asking(2).messageId())).isNotNull();
    assertThat(confirmations.find(asking(3).messageId())).isNotNull();
  }

  /** Returns a reference to the payload of a message after it was used. */
  private static WeakReference<byte[]> withPayload(Consumer<Chunk> use) {
    byte[] payload = new byte[4];
    MessageId id = new MessageId(A, FIRST_START, 1);
    use.accept(new Chunk(id, 0, true, 1, 0, ByteBuffer.wrap(payload), WAIT_MILLIS, null, false));
    return new WeakReference<>(payload);
  }

  private static boolean isCollected(WeakReference<byte[]> payload) {
    for (int i = 0; i < 100 && payload.get() != null; i++) {
      System.gc();
    }
    return payload.get() == null;
  }

  /** Subscribers that have everything, or nothing, and count the queries. */
  private static final class Counted implements DeliveryWatch.Audience {
    private boolean hasAll;
    private int asked;

    @Override
    public boolean hasBegun() {
      return true;
    }

    @Override
    public boolean has(StreamId stream, Position end) {
      asked++;
      return hasAll;
    }
  }

  @Test
  void only_streams_in_which_subscribers_have_advanced_are_checked() {
    DeliveryWatch watch = new DeliveryWatch();
    Counted audience = new Counted();
    List<MessageId> delivered = new ArrayList<>();
    for (int i = 1; i <= 1_000; i++) {
      MessageId id = new MessageId(NodeId.of("n" + i), FIRST_START, 1);
      watch.logs(new Chunk(id, 0, true, 1, 0, bytes("1234"), WAIT_MILLIS, null, false), A);
      watch.checkAdvanced(audience, message -> delivered.add(message.message()));
    }
    assertThat(audience.asked).isEqualTo(1_000);

    audience.hasAll = true;
    watch.moved(new StreamId(NodeId.of("n7"), FIRST_START));
    watch.checkAdvanced(audience, message -> delivered.add(message.message()));
    watch.checkAdvanced(audience, message -> delivered.add(message.message()));

    assertThat(audience.asked).isEqualTo(1_001);
    assertThat(delivered).containsExactly(new MessageId(NodeId.of("n7"), FIRST_START, 1));
    assertThat(watched(watch)).as("the others, as when one unsubscribes").hasSize(999);
  }

  private static List<MessageId> watched(DeliveryWatch watch) {
    List<MessageId> watched = new ArrayList<>();
    Counted audience = new Counted();
    audience.hasAll = true;
    watch.check(audience, message -> watched.add(message.message()));
    return watched;
  }
}
