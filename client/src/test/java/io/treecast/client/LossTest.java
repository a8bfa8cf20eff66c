package io.treecast.client;

import static io.treecast.client.ScriptedAgent.INCARNATION;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.treecast.proto.v1.MissedMessages;
import io.treecast.proto.v1.MissedReason;
import io.treecast.proto.v1.SubscriptionEvent;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.parallel.Isolated;

/** Missed messages are reported for every way to subscribe. */
@Isolated("it reads the log, which other tests turn off")
@Timeout(120)
class LossTest {
  private static final Logger LOGGER = Logger.getLogger("io.treecast.client");

  private final ScriptedAgent agent = ScriptedAgent.running();
  private final Treecast treecast = Treecast.connect(agent.address());
  private final List<String> logged = new CopyOnWriteArrayList<>();

  private final Handler recording =
      new Handler() {
        @Override
        public void publish(LogRecord record) {
          logged.add(record.getLevel() + " " + record.getMessage());
        }

        @Override
        public void flush() {}

        @Override
        public void close() {}
      };

  private final @Nullable Level levelBefore = LOGGER.getLevel();

  @BeforeEach
  void listen() {
    LOGGER.setLevel(Level.ALL);
    LOGGER.addHandler(recording);
  }

  @AfterEach
  void close() {
    LOGGER.removeHandler(recording);
    LOGGER.setLevel(levelBefore);
    treecast.close();
    agent.close();
  }

  private void lose(long first, long last) {
    agent.sendEvent(
        SubscriptionEvent.newBuilder()
            .setMissed(
                MissedMessages.newBuilder()
                    .setOrigin("h2")
                    .setIncarnation(INCARNATION)
                    .setFirstSequence(first)
                    .setLastSequence(last)
                    .setReason(MissedReason.MISSED_REASON_NOT_RETAINED))
            .build());
  }

  private void awaitWarningOf(String topic, String sequences) {
    await()
        .untilAsserted(
            () ->
                assertThat(logged)
                    .anySatisfy(
                        line ->
                            assertThat(line)
                                .startsWith("WARNING ")
                                .contains(
                                    topic,
                                    agent.address(),
                                    "h2/9f3a6c01d2e4b587/" + sequences + " (NOT_RETAINED)")));
  }

  @Test
  void a_handler_that_is_just_a_function_makes_a_warning() {
    treecast.subscribe(message -> {}).ready().join();
    lose(5, 7);
    awaitWarningOf("default", "5 to 7");
  }

  @Test
  void each_subscription_is_warned_of_by_its_name_whatever_the_others_lose() {
    SubscribeOptions prices = SubscribeOptions.defaults().withTopics("prices");
    treecast.subscribe(message -> {}).ready().join();
    lose(5, 7);
    awaitWarningOf("default", "5 to 7");
    treecast.subscribe(prices, message -> {}).ready().join();
    lose(8, 9);
    awaitWarningOf("prices", "8 to 9");
  }

  @Test
  void counted_losses_are_logged_when_the_subscription_ends() throws Exception {
    CountDownLatch received = new CountDownLatch(1);
    Subscription subscription = treecast.subscribe(message -> received.countDown());
    subscription.ready().join();
    lose(5, 7);
    lose(9, 10);
    agent.sendMessage("h2", 11, "on");
    received.await();

    treecast.close();

    subscription.done().join();
    assertThat(logged).anySatisfy(line -> assertThat(line).contains("2 NOT_RETAINED", "9 to 10"));
  }

  @Test
  void an_iterator_makes_a_warning() {
    try (EventIterator<Message> messages = treecast.blocking().subscribe()) {
      lose(8, 8);
      awaitWarningOf("default", "8");
      agent.sendMessage("h2", 9, "on");
      assertThat(messages.next().text()).isEqualTo("on");
    }
  }

  @Test
  void losses_are_reported_to_the_fetching_thread_between_the_messages() {
    List<String> had = new ArrayList<>();
    try (EventIterator<Message> messages =
        treecast
            .blocking()
            .subscribe(SubscribeOptions.defaults(), missed -> had.add(missed.toString()))) {
      agent.sendMessage("h2", 1, "one");
      lose(2, 3);
      agent.sendMessage("h2", 4, "four");
      lose(5, 5);

      had.add(messages.next().text());
      assertThat(had).containsExactly("one");
      had.add(messages.next().text());
      assertThat(had).containsExactly("one", "h2/9f3a6c01d2e4b587/2 to 3 (NOT_RETAINED)", "four");
      await().until(() -> messages.poll(Duration.ZERO) == null && had.size() == 4);
      assertThat(had.get(3)).isEqualTo("h2/9f3a6c01d2e4b587/5 (NOT_RETAINED)");
    }
    assertThat(logged).noneMatch(line -> line.contains("2 to 3"));
  }

  @Test
  void an_exception_of_the_callback_is_thrown_at_the_fetch_and_the_next_fetch_continues() {
    try (EventIterator<Message> messages =
        treecast
            .blocking()
            .subscribe(
                SubscribeOptions.defaults(),
                missed -> {
                  throw new IllegalStateException("at-" + missed.firstSequence());
                })) {
      lose(1, 2);
      agent.sendMessage("h2", 3, "three");

      assertThatThrownBy(messages::next).hasMessage("at-1");
      assertThat(messages.next().text()).isEqualTo("three");
    }
  }
}
