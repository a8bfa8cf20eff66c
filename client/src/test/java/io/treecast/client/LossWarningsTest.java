package io.treecast.client;

import static io.treecast.client.ScriptedAgent.INCARNATION;
import static org.assertj.core.api.Assertions.assertThat;

import io.treecast.client.TreecastException.Reason;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Warnings about missed messages that the handler ignores. */
class LossWarningsTest {
  private final List<String> log = new ArrayList<>();

  /** Actions to run at the end of the time for which losses are counted. */
  private final Queue<Runnable> later = new ArrayDeque<>();

  private final LossWarnings warnings = new LossWarnings("prices: ", log::add, later::add);

  private static MissedMessages missed(long first, long last, MissedReason reason) {
    return new MissedMessages("h2", INCARNATION, "prices", 0, first, last, reason);
  }

  @Test
  void the_first_loss_is_logged_at_once() {
    warnings.missed(missed(5, 7, MissedReason.NOT_RETAINED));

    assertThat(log)
        .singleElement()
        .asString()
        .startsWith("prices: ")
        .contains("h2/9f3a6c01d2e4b587/prices/5 to 7 (NOT_RETAINED)");
  }

  @Test
  void later_losses_are_logged_together_and_all_are_counted() {
    warnings.missed(missed(1, 1, MissedReason.SKIPPED));
    log.clear();
    warnings.missed(missed(3, 12, MissedReason.SKIPPED));
    warnings.missed(missed(14, 14, MissedReason.AGENT_AWAY));
    warnings.missed(missed(20, 20, MissedReason.SKIPPED));
    assertThat(log).isEmpty();

    later.remove().run();

    assertThat(log)
        .singleElement()
        .asString()
        .startsWith("prices: ")
        .contains("1 AGENT_AWAY, 11 SKIPPED", "h2/9f3a6c01d2e4b587/prices/20 (SKIPPED)");
  }

  @Test
  void after_a_quiet_time_the_next_loss_is_logged_at_once_again() {
    warnings.missed(missed(1, 1, MissedReason.SKIPPED));
    warnings.missed(missed(2, 2, MissedReason.SKIPPED));
    later.remove().run();
    later.remove().run();
    assertThat(later).isEmpty();
    log.clear();

    warnings.missed(missed(3, 3, MissedReason.SKIPPED));

    assertThat(log).hasSize(1);
  }

  @Test
  void counted_losses_are_logged_at_the_end() {
    warnings.missed(missed(1, 1, MissedReason.SKIPPED));
    warnings.end();
    assertThat(log).hasSize(1);
    warnings.missed(missed(2, 4, MissedReason.SKIPPED));

    warnings.end();

    assertThat(log).hasSize(2).last().asString().contains("3 SKIPPED");
    later.remove().run();
    assertThat(log).hasSize(2);
    assertThat(later).isEmpty();
  }

  @Test
  void the_losses_of_a_handler_are_those_of_the_subscription_that_calls_it() {
    LossWarnings others = new LossWarnings("news: ", log::add, later::add);
    MessageHandler handler = message -> {};

    warnings.during(() -> handler.onMissed(missed(1, 1, MissedReason.SKIPPED)));
    others.during(
        () -> {
          warnings.during(() -> handler.onMissed(missed(2, 2, MissedReason.SKIPPED)));
          handler.onMissed(missed(3, 3, MissedReason.SKIPPED));
        });

    assertThat(log).hasSize(2);
    assertThat(log.get(0)).startsWith("prices: missed").contains("/1 ");
    assertThat(log.get(1)).startsWith("news: missed").contains("/3 ");
    assertThat(LossWarnings.current()).isNotIn(warnings, others);
  }

  @Test
  void a_subscription_is_named_by_its_topics_and_its_agent() {
    AgentAddresses agent = AgentAddresses.parse("127.0.0.1:7700");

    String ofDefault = LossWarnings.subject(Set.of(""), agent);
    assertThat(ofDefault).contains("127.0.0.1:7700");
    assertThat(LossWarnings.subject(Set.of("a"), agent))
        .contains("topic a", "127.0.0.1:7700")
        .isNotEqualTo(ofDefault);
    assertThat(
            LossWarnings.subject(
                SubscribeOptions.defaults().withTopics("a", "b", "c", "d", "e", "f", "g").topics(),
                agent))
        .contains("topic a, topic b, topic c, topic d, topic e", " 2 ", "127.0.0.1:7700")
        .doesNotContain("topic f", "topic g");
  }

  @Test
  void a_message_that_cannot_be_had_is_logged_with_the_reason() {
    warnings.failed(
        new MessageId("h2", INCARNATION, 4), new TreecastException(Reason.INCOMPLETE, "abandoned"));

    assertThat(log)
        .singleElement()
        .asString()
        .startsWith("prices: ")
        .contains("h2/9f3a6c01d2e4b587/4", "INCOMPLETE: abandoned");
  }

  @Test
  void the_warning_of_a_large_message_names_the_remedy() {
    warnings.missed(missed(1, 1, MissedReason.TOO_LARGE));
    warnings.missed(missed(2, 2, MissedReason.NO_ROOM));
    later.remove().run();

    assertThat(log.get(0)).contains("maxMessageBytes", "onLargeMessage");
    assertThat(log.get(1)).contains("maxAssemblyBytes", "onLargeMessage");
  }
}
