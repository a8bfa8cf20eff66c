package io.treecast.client;

import static io.treecast.client.ScriptedAgent.INCARNATION;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.grpc.Status;
import io.treecast.proto.v1.MissedReason;
import io.treecast.proto.v1.SubscribeRequest;
import io.treecast.proto.v1.SubscriptionBegan;
import io.treecast.proto.v1.SubscriptionEvent;
import io.treecast.proto.v1.SubscriptionLive;
import io.treecast.proto.v1.SubscriptionStart;
import io.treecast.proto.v1.WhenSlow;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.logging.Level;
import java.util.logging.Logger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The requests of a subscription, at first and after an interruption. */
class ResumeTest {
  // A strong reference: a logger without one loses its level.
  private static final Logger QUIET = Logger.getLogger("io.treecast.client");

  static {
    QUIET.setLevel(Level.OFF);
  }

  private final ScriptedAgent agent = ScriptedAgent.running();
  private final Treecast treecast = Treecast.connect(agent.address());
  private final List<String> heard = new CopyOnWriteArrayList<>();

  private final MessageHandler handler =
      new MessageHandler() {
        @Override
        public void onMessage(Message message) {
          heard.add(message.origin() + "#" + message.sequence());
        }

        @Override
        public void onBegan(Positions positions) {
          heard.add("began " + positions);
        }

        @Override
        public void onLive() {
          heard.add("live");
        }

        @Override
        public void onMissed(MissedMessages missed) {
          heard.add("missed " + missed.lastSequence() + " " + missed.reason());
        }
      };

  @AfterEach
  void close() {
    treecast.close();
    agent.close();
  }

  private void subscribe(SubscribeOptions options) throws Exception {
    treecast.subscribe(options, handler).ready().get(60, TimeUnit.SECONDS);
  }

  private void awaitHeard(String... words) {
    await().untilAsserted(() -> assertThat(heard).containsExactly(words));
  }

  /** Returns the request after the agent was stopped and started. */
  private SubscribeRequest askedAfterInterruption() {
    agent.stop();
    agent.start();
    await().until(() -> agent.subscribeRequests.size() == 2);
    return agent.subscribeRequests.get(1);
  }

  @Test
  void the_default_is_from_now_slowing_publishers() throws Exception {
    subscribe(SubscribeOptions.defaults());

    assertThat(agent.subscribeRequests)
        .containsExactly(
            SubscribeRequest.newBuilder()
                .setStart(SubscriptionStart.SUBSCRIPTION_START_NOW)
                .setWhenSlow(WhenSlow.WHEN_SLOW_SLOW_PUBLISHER)
                .addTopics("")
                .build());
  }

  @Test
  void the_request_contains_positions_and_policy() throws Exception {
    subscribe(
        SubscribeOptions.defaults()
            .withStart(
                new io.treecast.client.SubscriptionStart.After(
                    Positions.of(List.of(new MessageId("h2", INCARNATION, 7)))))
            .withWhenSlow(io.treecast.client.WhenSlow.GAP));

    assertThat(agent.subscribeRequests)
        .containsExactly(
            SubscribeRequest.newBuilder()
                .setStart(SubscriptionStart.SUBSCRIPTION_START_AFTER)
                .addAfter(ScriptedAgent.messageId("h2", 7))
                .setWhenSlow(WhenSlow.WHEN_SLOW_GAP)
                .addTopics("")
                .build());
  }

  @Test
  void an_interrupted_subscription_resumes_after_the_messages_that_the_handler_has_finished()
      throws Exception {
    agent.onSubscribe(
        subscriber ->
            ScriptedAgent.confirm(
                subscriber, ScriptedAgent.messageId("h2", 7), ScriptedAgent.messageId("h3", 1)));
    subscribe(SubscribeOptions.defaults().withWhenSlow(io.treecast.client.WhenSlow.CATCH_UP));
    await().until(() -> agent.subscribers.size() == 1);
    agent.sendMessage("h2", 8, "x");
    agent.sendChunk("h3", 2, 0, false, "part");
    agent.sendMessage("h4", 1, "y");
    awaitHeard("began h2/9f3a6c01d2e4b587/7,h3/9f3a6c01d2e4b587/1", "h2#8", "h4#1");

    assertThat(askedAfterInterruption())
        .isEqualTo(
            SubscribeRequest.newBuilder()
                .setStart(SubscriptionStart.SUBSCRIPTION_START_AFTER)
                .addAfter(ScriptedAgent.messageId("h2", 8))
                .addAfter(ScriptedAgent.messageId("h3", 1))
                .addAfter(ScriptedAgent.messageId("h4", 1))
                .setWhenSlow(WhenSlow.WHEN_SLOW_CATCH_UP)
                .addTopics("")
                .build());
  }

  @Test
  void missed_messages_are_not_requested_again() throws Exception {
    subscribe(SubscribeOptions.defaults());
    await().until(() -> agent.subscribers.size() == 1);
    agent.sendEvent(
        SubscriptionEvent.newBuilder()
            .setMissed(
                io.treecast.proto.v1.MissedMessages.newBuilder()
                    .setOrigin("h2")
                    .setIncarnation(INCARNATION)
                    .setFirstSequence(1)
                    .setLastSequence(4)
                    .setReason(MissedReason.MISSED_REASON_NOT_RETAINED))
            .build());
    awaitHeard("began none", "missed 4 NOT_RETAINED");

    assertThat(askedAfterInterruption().getAfterList())
        .containsExactly(ScriptedAgent.messageId("h2", 4));
  }

  @Test
  void a_subscription_that_has_not_begun_repeats_its_request_and_is_not_ready() throws Exception {
    agent.onSubscribe(
        subscriber -> {
          ScriptedAgent.confirmWithoutBegin(subscriber);
          subscriber.onError(Status.UNAVAILABLE.asRuntimeException());
        });
    CompletableFuture<String> ready =
        treecast
            .subscribe(
                SubscribeOptions.defaults()
                    .withStart(new io.treecast.client.SubscriptionStart.Retained()),
                handler)
            .ready();
    await().until(() -> agent.subscribeRequests.size() >= 2);

    assertThat(agent.subscribeRequests.get(1).getStart())
        .isEqualTo(SubscriptionStart.SUBSCRIPTION_START_RETAINED);
    assertThat(ready).as("nobody knows where it begins").isNotDone();

    agent.onSubscribe(ScriptedAgent::confirm);
    ready.get(60, TimeUnit.SECONDS);
    assertThat(heard).containsExactly("began none");
  }

  @Test
  void a_beginning_that_is_not_confirmed_ends_the_subscription() {
    agent.onSubscribe(
        subscriber ->
            subscriber.onNext(
                ScriptedAgent.one(
                    SubscriptionEvent.newBuilder()
                        .setBegan(SubscriptionBegan.getDefaultInstance()))));

    assertThatThrownBy(() -> treecast.subscribe(handler).done().get(60, TimeUnit.SECONDS))
        .cause()
        .isInstanceOfSatisfying(
            TreecastException.class,
            e -> assertThat(e.reason()).isEqualTo(TreecastException.Reason.PROTOCOL_VIOLATION));
  }

  @Test
  void the_beginning_is_reported_once_and_live_after_each_resumption() throws Exception {
    SubscriptionEvent live =
        SubscriptionEvent.newBuilder().setLive(SubscriptionLive.getDefaultInstance()).build();
    subscribe(SubscribeOptions.defaults());
    await().until(() -> agent.subscribers.size() == 1);
    agent.sendEvent(live);
    awaitHeard("began none", "live");
    askedAfterInterruption();
    await().until(() -> agent.subscribers.size() == 2);

    agent.sendEvent(live);

    awaitHeard("began none", "live", "live");
  }
}
