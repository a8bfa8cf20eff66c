package io.treecast.client;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class FewTopicsTest {
  private static final long MINUTE = TimeUnit.MINUTES.toNanos(1);

  private final FewTopics topics = new FewTopics();

  private void useAll(long nowNanos) {
    for (int i = 0; i < FewTopics.MAX_TOPICS; i++) {
      assertThat(topics.choose("to/" + i, "to", nowNanos)).isEqualTo("to/" + i);
    }
  }

  @Test
  void further_topics_are_not_used_while_the_first_ones_are() {
    useAll(0);
    assertThat(topics.choose("to/x", "to", MINUTE)).isEqualTo("to");
    useAll(MINUTE);
  }

  @Test
  void a_topic_that_agents_have_forgotten_makes_room() {
    useAll(0);
    topics.choose("to/1", "to", 3 * MINUTE);
    assertThat(topics.choose("to/x", "to", 7 * MINUTE)).isEqualTo("to/x");
    assertThat(topics.choose("to/1", "to", 7 * MINUTE)).isEqualTo("to/1");
  }
}
