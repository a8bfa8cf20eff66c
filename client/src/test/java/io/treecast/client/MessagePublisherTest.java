package io.treecast.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.grpc.Status;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Flow;
import java.util.logging.Level;
import java.util.logging.Logger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(120)
class MessagePublisherTest {
  // A strong reference: a logger without one loses its level.
  private static final Logger QUIET = Logger.getLogger("io.treecast.client");

  static {
    QUIET.setLevel(Level.OFF);
  }

  private final ScriptedAgent agent = ScriptedAgent.running();
  private final Treecast treecast = Treecast.connect(agent.address());
  private final Reader reader = new Reader();

  @AfterEach
  void close() {
    treecast.close();
    agent.close();
  }

  private static class Reader implements Flow.Subscriber<Message> {
    final List<String> heard = new CopyOnWriteArrayList<>();
    private volatile Flow.@Nullable Subscription subscription;

    Flow.Subscription subscription() {
      return Objects.requireNonNull(subscription);
    }

    @Override
    public void onSubscribe(Flow.Subscription given) {
      subscription = given;
    }

    @Override
    public void onNext(Message message) {
      heard.add(message.text());
    }

    @Override
    public void onError(Throwable why) {
      heard.add(why.getClass().getSimpleName());
    }

    @Override
    public void onComplete() {
      heard.add("complete");
    }

    void awaitHeard(String... words) {
      await().untilAsserted(() -> assertThat(heard).containsExactly(words));
    }
  }

  private void subscribe() {
    treecast.messages(SubscribeOptions.defaults()).subscribe(reader);
    await().until(() -> agent.subscribers.size() == 1);
  }

  @Test
  void messages_arrive_when_they_are_requested() {
    subscribe();
    for (int i = 1; i <= 100; i++) {
      agent.sendMessage("h2", i, "m" + i);
    }
    reader.subscription().request(1);
    reader.awaitHeard("m1");

    reader.subscription().request(2);
    reader.awaitHeard("m1", "m2", "m3");

    reader.subscription().request(Long.MAX_VALUE);
    await().until(() -> reader.heard.size() == 100);
    assertThat(reader.heard.get(99)).isEqualTo("m100");
  }

  @Test
  void the_publisher_completes_with_the_client_though_nothing_is_requested() {
    subscribe();
    agent.sendMessage("h2", 1, "m1");
    treecast.close();

    reader.awaitHeard("complete");
  }

  @Test
  void cancelling_ends_the_subscription_without_a_signal() {
    subscribe();
    agent.sendMessage("h2", 1, "m1");
    reader.subscription().cancel();

    await().until(() -> agent.subscriber(0).isCancelled());
    assertThat(reader.heard).isEmpty();
  }

  @Test
  void a_subscription_that_is_refused_ends_with_the_failure() {
    agent.onSubscribe(
        subscriber ->
            subscriber.onError(Status.PERMISSION_DENIED.withDescription("no").asException()));
    treecast.messages(SubscribeOptions.defaults()).subscribe(reader);

    reader.awaitHeard("TreecastException");
  }

  @Test
  void a_failure_is_signalled_after_the_subscription() {
    Reader slow =
        new Reader() {
          @Override
          public void onSubscribe(Flow.Subscription given) {
            await().until(MessagePublisherTest.this::isHandling);
            agent.subscriber(0).onError(Status.PERMISSION_DENIED.asException());
            await().until(() -> !isHandling());
            heard.add("subscription");
          }
        };
    treecast.messages(SubscribeOptions.defaults()).subscribe(slow);

    slow.awaitHeard("subscription", "TreecastException");
  }

  /** Returns whether the subscription's own thread runs, which it does from its first event on. */
  private boolean isHandling() {
    return Thread.getAllStackTraces().keySet().stream()
        .map(Thread::getName)
        .anyMatch(n -> n.startsWith("treecast-subscription-") && n.endsWith(agent.address()));
  }

  @Test
  void a_request_for_no_messages_is_an_error_of_the_subscriber() {
    subscribe();
    reader.subscription().request(0);

    reader.awaitHeard("IllegalArgumentException");
  }

  @Test
  void a_closed_client_fails_the_subscriber() {
    treecast.close();
    treecast.messages(SubscribeOptions.defaults()).subscribe(reader);

    reader.awaitHeard("TreecastException");
  }
}
