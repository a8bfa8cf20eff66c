package io.treecast.client;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class RecentStreamTest {
  @Test
  void each_message_has_the_name_of_its_own_stream_whatever_the_one_before() {
    List<MessageId> messages =
        List.of(
            new MessageId("h1", 1, 1),
            new MessageId("h1", 1, 2),
            new MessageId("h2", 1, 2),
            new MessageId("h2", 3, 2),
            new MessageId("h2", 3, "news", 0, 2),
            new MessageId("h2", 3, "news", 4, 2),
            new MessageId("h2", 3, "news", 4, 3),
            new MessageId("h1", 1, 3));
    RecentStream recent = new RecentStream();

    assertThat(messages.stream().map(recent::name))
        .containsExactlyElementsOf(messages.stream().map(Positions::stream).toList());
  }
}
