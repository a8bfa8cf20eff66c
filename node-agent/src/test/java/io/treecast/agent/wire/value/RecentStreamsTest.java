package io.treecast.agent.wire.value;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.treecast.collectives.broadcast.message.MessageId;
import io.treecast.collectives.broadcast.message.StreamId;
import io.treecast.ghs.NodeId;
import org.junit.jupiter.api.Test;

class RecentStreamsTest {
  private final RecentStreams streams = new RecentStreams();

  @Test
  void messages_of_a_stream_share_the_object_that_names_it() throws WireViolation {
    StreamId stream = new StreamId(NodeId.of("h1"), 7, "prices");
    MessageId first = streams.decode(ValueCodec.encode(new MessageId(stream, 1)));
    MessageId second = streams.decode(ValueCodec.encode(new MessageId(stream, 2)));
    assertThat(first.stream()).isEqualTo(stream).isSameAs(second.stream());
    assertThat(second.sequence()).isEqualTo(2);
  }

  @Test
  void streams_that_share_a_place_are_told_apart() throws WireViolation {
    for (int round = 1; round <= 2; round++) {
      for (String origin : new String[] {"h1", "h2"}) {
        for (String topic : new String[] {"", "prices"}) {
          for (long incarnation : new long[] {1, 65}) {
            for (int lane : new int[] {0, 64}) {
              StreamId stream = new StreamId(NodeId.of(origin), incarnation, topic, lane);
              MessageId message = new MessageId(stream, round);
              assertThat(streams.decode(ValueCodec.encode(message))).isEqualTo(message);
            }
          }
        }
      }
    }
  }

  @Test
  void the_sequence_of_a_known_stream_is_checked() throws WireViolation {
    MessageId message = new MessageId(new StreamId(NodeId.of("h1"), 7), 1);
    streams.decode(ValueCodec.encode(message));
    assertThatExceptionOfType(WireViolation.class)
        .isThrownBy(
            () -> streams.decode(ValueCodec.encode(message).toBuilder().setSequence(0).build()));
  }
}
