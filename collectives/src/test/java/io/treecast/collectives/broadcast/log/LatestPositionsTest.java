package io.treecast.collectives.broadcast.log;

import static io.treecast.collectives.broadcast.Examples.A;
import static io.treecast.collectives.broadcast.Examples.B;
import static org.assertj.core.api.Assertions.assertThat;

import io.treecast.collectives.broadcast.message.MessageId;
import io.treecast.collectives.broadcast.message.StreamId;
import java.util.List;
import org.junit.jupiter.api.Test;

class LatestPositionsTest {
  private static final MessageId SETTLED = new MessageId(B, 1, 9);
  private static final MessageId FIRST_LIFE = new MessageId(A, 1, 3);
  private static final MessageId SECOND_LIFE = new MessageId(A, 2, 4);
  private static final MessageId THIRD_LIFE = new MessageId(A, 3, 1);

  private static MessageId of(String topic, int lane) {
    return new MessageId(new StreamId(A, 1, topic, lane), 1);
  }

  @Test
  void the_streams_from_before_an_origins_restart_are_dropped_first() {
    List<MessageId> all = List.of(FIRST_LIFE, SETTLED, THIRD_LIFE, SECOND_LIFE);

    assertThat(LatestPositions.of(all, 4, stream -> false)).isEqualTo(all);
    assertThat(LatestPositions.of(all, 3, stream -> false))
        .containsExactlyInAnyOrder(SETTLED, SECOND_LIFE, THIRD_LIFE);
    assertThat(LatestPositions.of(all, 2, stream -> false))
        .as("an agent that has not restarted since long ago is as good as one that has")
        .containsExactlyInAnyOrder(SETTLED, THIRD_LIFE);
  }

  @Test
  void known_streams_stay() {
    assertThat(
            LatestPositions.of(
                List.of(FIRST_LIFE, SECOND_LIFE, THIRD_LIFE),
                2,
                stream -> stream.equals(FIRST_LIFE.stream())))
        .containsExactlyInAnyOrder(FIRST_LIFE, THIRD_LIFE);
  }

  @Test
  void the_latest_streams_of_forgotten_topics_stay() {
    MessageId before = of("news", 0);
    MessageId second = of("news", StreamId.LANES);
    MessageId upload = of("news", 1);
    MessageId neverForgotten = of("prices", 0);

    assertThat(
            LatestPositions.of(List.of(before, second, upload, neverForgotten), 3, stream -> false))
        .containsExactlyInAnyOrder(second, upload, neverForgotten);
  }
}
