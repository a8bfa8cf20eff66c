package io.treecast.client;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class TopicBudgetTest {
  private static final long MINUTE = TimeUnit.MINUTES.toNanos(1);

  private final TopicBudget topics = new TopicBudget();

  private void useAll(long nowNanos) {
    for (int i = 0; i < TopicBudget.MAX_TOPICS; i++) {
      assertThat(topics.mayUse("to/" + i, nowNanos)).isTrue();
    }
  }

  @Test
  void further_topics_are_not_used_while_the_first_ones_are() {
    useAll(0);
    assertThat(topics.mayUse("to/x", MINUTE)).isFalse();
    useAll(MINUTE);
  }

  @Test
  void a_topic_that_agents_have_forgotten_makes_room() {
    useAll(0);
    assertThat(topics.mayUse("to/1", 3 * MINUTE)).isTrue();
    assertThat(topics.mayUse("to/x", 7 * MINUTE)).isTrue();
    assertThat(topics.mayUse("to/1", 7 * MINUTE)).isTrue();
  }
}
