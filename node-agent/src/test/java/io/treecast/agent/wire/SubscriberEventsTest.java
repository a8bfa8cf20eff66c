package io.treecast.agent.wire;

import static org.assertj.core.api.Assertions.assertThat;

import io.grpc.Drainable;
import io.treecast.agent.transport.frame.SubscriberEvents;
import io.treecast.collectives.broadcast.message.Chunk;
import io.treecast.collectives.broadcast.message.OrderPosition;
import io.treecast.proto.v1.SubscribeResponse;
import io.treecast.proto.v1.Subscribed;
import io.treecast.proto.v1.SubscriptionEvent;
import io.treecast.proto.v1.SubscriptionLive;
import java.io.ByteArrayOutputStream;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** The events of a subscription are written without protobuf's objects, in its format. */
class SubscriberEventsTest {
  private static final int RUNS = 300;

  private final List<Object> events = new ArrayList<>();
  private final SubscribeResponse.Builder byProtobuf = SubscribeResponse.newBuilder();

  private void add(SubscriptionEvent event) {
    events.add(event);
    byProtobuf.addEvents(event);
  }

  private void add(Chunk chunk, long publishedUnixMillis, @Nullable OrderPosition position) {
    events.add(new DeliveredChunk(chunk, publishedUnixMillis, position));
    SubscriptionEvent.Builder event = byProtobuf.addEventsBuilder();
    event.setChunk(DataCodec.encode(chunk).toBuilder().setPublishedUnixMillis(publishedUnixMillis));
    if (position != null) {
      event.setPosition(OrderCodec.encode(position));
    }
  }

  private void addRandom(long seed) {
    Random random = new Random(seed);
    RandomMessages messages = new RandomMessages(random);
    for (int i = random.nextInt(4); i >= 0; i--) {
      add(
          messages.chunk(),
          random.nextBoolean() ? 0 : random.nextLong() >>> random.nextInt(64),
          random.nextBoolean() ? null : new OrderPosition(positive(random), positive(random)));
    }
  }

  private static long positive(Random random) {
    return Math.max(1, random.nextLong() >>> (1 + random.nextInt(63)));
  }

  private static byte[] drained(SubscriberEvents events) throws Exception {
    ByteArrayOutputStream drained = new ByteArrayOutputStream();
    InputStream sent = SubscriberEvents.SUBSCRIBE.streamResponse(events);
    int announced = sent.available();
    assertThat(((Drainable) sent).drainTo(drained)).isEqualTo(announced).isEqualTo(drained.size());
    return drained.toByteArray();
  }

  @Test
  void events_are_what_protobuf_reads_and_take_as_many_bytes_as_it_writes() throws Exception {
    add(
        SubscriptionEvent.newBuilder()
            .setSubscribed(Subscribed.newBuilder().setNodeId("h1"))
            .build());
    for (long seed = 0; seed < RUNS; seed++) {
      addRandom(seed);
    }
    add(SubscriptionEvent.newBuilder().setLive(SubscriptionLive.getDefaultInstance()).build());
    SubscribeResponse expected = byProtobuf.build();

    byte[] bytes = drained(new SubscriberEvents(events));

    assertThat(SubscribeResponse.parseFrom(bytes)).isEqualTo(expected);
    assertThat(bytes).hasSize(expected.getSerializedSize());
  }

  @Test
  void readers_in_the_process_get_the_bytes_of_the_network() throws Exception {
    addRandom(1);
    SubscriberEvents sent = new SubscriberEvents(events);

    assertThat(SubscriberEvents.SUBSCRIBE.streamResponse(sent).readAllBytes())
        .isEqualTo(drained(sent));
    assertThat(sent.toProto()).isEqualTo(byProtobuf.build());
  }
}
