package io.treecast.client;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class FinishedMessagesTest {
  private static final MessageId OF_LASTING = new MessageId("h1", 1, 7);

  private static MessageId ofStart(int start) {
    return new MessageId("h2", start, 1);
  }

  @Test
  void streams_of_starts_that_were_before_others_are_left_out_once_there_are_too_many() {
    FinishedMessages finished = new FinishedMessages(3);
    finished.begin(Positions.of(List.of(OF_LASTING)));

    IntStream.rangeClosed(1, 100).mapToObj(FinishedMessagesTest::ofStart).forEach(finished::add);

    assertThat(finished.positions())
        .isEqualTo(Positions.of(List.of(OF_LASTING, ofStart(99), ofStart(100))));
  }

  @Test
  void the_last_message_of_a_stream_counts_whatever_their_number() {
    FinishedMessages finished = new FinishedMessages(2);
    assertThat(finished.positions()).as("before it has begun").isNull();
    finished.begin(Positions.of(List.of(OF_LASTING)));

    for (int sequence = 8; sequence <= 20; sequence++) {
      finished.add(new MessageId("h1", 1, sequence));
      finished.add(new MessageId("h2", 1, sequence));
    }

    assertThat(finished.positions())
        .isEqualTo(Positions.of(List.of(new MessageId("h1", 1, 20), new MessageId("h2", 1, 20))));
  }

  @Test
  void the_newer_stream_of_a_forgotten_topic_counts() {
    MessageId before = new MessageId("h1", 1, "news", 0, 5);
    MessageId second = new MessageId("h1", 1, "news", 256, 1);
    MessageId upload = new MessageId("h1", 1, "news", 1, 1);

    assertThat(Positions.of(List.of(upload)).with(List.of(before, second), 2).messages())
        .containsExactlyInAnyOrder(second, upload);
  }

  @Test
  void positions_of_an_application_are_bounded() {
    List<MessageId> starts =
        IntStream.rangeClosed(1, Positions.MOST_STREAMS)
            .mapToObj(FinishedMessagesTest::ofStart)
            .toList();

    List<MessageId> kept = Positions.of(starts).with(OF_LASTING).messages();

    assertThat(kept)
        .hasSize(Positions.MOST_STREAMS)
        .contains(OF_LASTING)
        .doesNotContain(ofStart(1));
  }
}
