package io.treecast.testkit.local;

import io.treecast.agent.core.AgentSnapshot;
import io.treecast.agent.runtime.Agent;
import io.treecast.client.BroadcastOptions;
import io.treecast.client.BroadcastResult;
import io.treecast.client.Message;
import io.treecast.client.SubscribeOptions;
import io.treecast.client.Subscription;
import io.treecast.client.Treecast;
import io.treecast.collectives.broadcast.message.MessageId;
import io.treecast.collectives.broadcast.message.StreamId;
import io.treecast.ghs.NodeId;
import io.treecast.testkit.cluster.ControlTraffic;
import io.treecast.testkit.cluster.Incarnation;
import io.treecast.testkit.cluster.NodeAgent;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * One incarnation of a real agent, with an application that subscribes and publishes. Thread-safe.
 */
final class LocalAgent implements NodeAgent {
  private static final Duration MAX_WAIT = Duration.ofSeconds(10);

  final Agent agent;
  private final Incarnation incarnation;
  private final Consumer<MessageId> delivered;
  private final Map<String, Subscription> subscriptions = new TreeMap<>();
  private volatile boolean paused;
  private volatile @Nullable Treecast application;
  private volatile @Nullable AgentSnapshot last;

  /**
   * Wraps an agent whose application has not started.
   *
   * @param delivered receives the id of each message that is delivered to the application
   */
  LocalAgent(Incarnation incarnation, Agent agent, Consumer<MessageId> delivered) {
    this.incarnation = incarnation;
    this.agent = agent;
    this.delivered = delivered;
  }

  @Override
  public Incarnation incarnation() {
    return incarnation;
  }

  /** Returns the client of the application; the first call starts the application. */
  synchronized Treecast client() {
    Treecast client = application;
    if (client == null) {
      client = Treecast.connect(agent.address().toString());
      application = client;
    }
    return client;
  }

  /** Subscribes the application to a topic, and starts the application if necessary. Idempotent. */
  synchronized void subscribe(String topic) {
    Treecast client = client();
    if (!subscriptions.containsKey(topic)) {
      SubscribeOptions options = SubscribeOptions.defaults().withTopics(topic);
      subscriptions.put(topic, client.subscribe(options, message -> delivered.accept(id(message))));
    }
  }

  synchronized void unsubscribe(String topic) {
    Subscription subscription = subscriptions.remove(topic);
    if (subscription != null) {
      subscription.close();
    }
  }

  /** Returns whether the application's subscription to a topic is in place, and has not ended. */
  synchronized boolean isSubscribed(String topic) {
    Subscription subscription = subscriptions.get(topic);
    if (subscription == null || subscription.done().isDone()) {
      return false;
    }
    CompletableFuture<String> ready = subscription.ready();
    return ready.isDone() && !ready.isCompletedExceptionally();
  }

  private static MessageId id(Message message) {
    return id(message.messageId());
  }

  private static MessageId id(io.treecast.client.MessageId id) {
    StreamId stream = new StreamId(NodeId.of(id.origin()), id.incarnation(), id.topic(), id.lane());
    return new MessageId(stream, id.sequence());
  }

  /** The result of a broadcast. */
  record Published(MessageId id, long treeVersion) {}

  /**
   * Broadcasts a payload.
   *
   * @throws IllegalStateException if the agent refuses
   */
  Published publish(String topic, ByteBuffer payload) {
    Treecast client = application;
    if (client == null) {
      throw new IllegalStateException("node " + incarnation + " has no application");
    }
    byte[] bytes = new byte[payload.remaining()];
    payload.duplicate().get(bytes);
    try {
      BroadcastResult result =
          client
              .broadcast(bytes, BroadcastOptions.defaults().withTopic(topic).withWait(MAX_WAIT))
              .join();
      return new Published(id(result.messageId()), result.treeVersion());
    } catch (CompletionException e) {
      throw new IllegalStateException(
          "node " + incarnation + " refused to broadcast: " + e.getCause(), e);
    }
  }

  @Override
  public boolean isPaused() {
    return paused;
  }

  @Override
  public void pause() {
    snapshot();
    paused = true;
    agent.pause();
  }

  @Override
  public void resume() {
    agent.resume();
    paused = false;
  }

  /** Returns the agent's state; null if it is paused, or does not answer because it is stopping. */
  @Nullable AgentSnapshot snapshot() {
    if (paused) {
      return null;
    }
    try {
      AgentSnapshot now = agent.snapshot().get(MAX_WAIT.toMillis(), TimeUnit.MILLISECONDS);
      last = now;
      return now;
    } catch (ExecutionException | TimeoutException e) {
      return null;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return null;
    }
  }

  /** Returns the control messages that the agent had sent at its last snapshot. */
  ControlTraffic lastControlTraffic() {
    AgentSnapshot known = last;
    return known == null
        ? ControlTraffic.NONE
        : new ControlTraffic(new TreeMap<>(known.controlMessagesSent()), 0);
  }

  @Override
  public void crash() {
    snapshot();
    agent.crash();
    closeApplication();
  }

  @Override
  public void leave() {
    snapshot();
    close();
  }

  void close() {
    closeApplication();
    agent.close();
  }

  /** Closes the agent while all others are closed as well. */
  void closeWithAllOthers() {
    closeApplication();
    agent.closeWithAllOthers();
  }

  private synchronized void closeApplication() {
    Treecast client = application;
    if (client != null) {
      client.close();
    }
  }
}
