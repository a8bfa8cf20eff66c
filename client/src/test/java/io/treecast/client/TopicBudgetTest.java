package io.treecast.client;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class TopicBudgetTest {
  private static final long MINUTE = TimeUnit.MINUTES.toNanos(1);
  private static final int MOST_OF_REQUESTERS = TopicBudget.MAX_TOPICS - TopicBudget.RESERVED;

  private final TopicBudget topics = new TopicBudget();

  /** Returns the topic that is used to reach one receiver. */
  private String used(String topic, long nowNanos) {
    return topics.usable(List.of(topic, "all"), nowNanos).get(0);
  }

  /** Returns the topic that is used for a reply to a requester at a member. */
  private String reply(String requester, String member) {
    return topics.usable(List.of(requester, member, "all"), 0).get(0);
  }

  private void useAll(long nowNanos) {
    for (int i = 0; i < TopicBudget.MAX_TOPICS; i++) {
      assertThat(used("to/" + i, nowNanos)).isEqualTo("to/" + i);
    }
  }

  @Test
  void further_topics_are_not_used_while_the_first_ones_are() {
    useAll(0);
    assertThat(used("to/x", MINUTE)).isEqualTo("all");
    useAll(MINUTE);
  }

  @Test
  void a_topic_that_agents_have_forgotten_makes_room() {
    useAll(0);
    assertThat(used("to/1", 3 * MINUTE)).isEqualTo("to/1");
    assertThat(used("to/x", 7 * MINUTE)).isEqualTo("to/x");
    assertThat(used("to/1", 7 * MINUTE)).isEqualTo("to/1");
  }

  @Test
  void the_topics_after_the_first_usable_one_remain_for_a_refusal() {
    assertThat(topics.usable(List.of("requester", "member", "all"), 0))
        .containsExactly("requester", "member", "all");
    assertThat(topics.usable(List.of("all"), 0)).containsExactly("all");
  }

  @Test
  void replies_to_further_requesters_go_to_their_members_and_then_to_all() {
    for (int i = 0; i < MOST_OF_REQUESTERS; i++) {
      assertThat(reply("requester" + i, "member" + i)).isEqualTo("requester" + i);
    }
    for (int i = 0; i < TopicBudget.RESERVED; i++) {
      assertThat(reply("further" + i, "member" + i)).isEqualTo("member" + i);
    }
    assertThat(reply("last", "another member")).isEqualTo("all");
    assertThat(reply("last", "member1")).isEqualTo("member1");
  }
}
