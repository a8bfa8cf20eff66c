package io.treecast.testkit.local;

import io.treecast.agent.core.AgentSnapshot;
import io.treecast.agent.runtime.Agent;
import io.treecast.client.BroadcastResult;
import io.treecast.client.Message;
import io.treecast.client.Treecast;
import io.treecast.collectives.MessageId;
import io.treecast.ghs.NodeId;
import io.treecast.testkit.cluster.Life;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * One life of a real agent, and the application beside it, which subscribes and publishes.
 * Thread-safe.
 */
final class LocalAgent {
  private static final Duration MAX_WAIT = Duration.ofSeconds(10);

  final Life life;
  final Agent agent;
  private volatile boolean paused;
  private volatile @Nullable Treecast application;
  private volatile @Nullable AgentSnapshot last;

  LocalAgent(Life life, Agent agent) {
    this.life = life;
    this.agent = agent;
  }

  /** Starts the application; the second time does nothing. */
  synchronized void subscribe(Consumer<MessageId> delivered) {
    if (application == null) {
      Treecast client = Treecast.connect(agent.address().toString());
      application = client;
      var unused = client.subscribe(message -> delivered.accept(id(message)));
    }
  }

  private static MessageId id(Message message) {
    return id(message.messageId());
  }

  private static MessageId id(io.treecast.client.MessageId id) {
    return new MessageId(NodeId.of(id.origin()), id.incarnation(), id.sequence());
  }

  /** What the application is told of its broadcast. */
  record Published(MessageId id, long treeVersion) {}

  /**
   * Broadcasts.
   *
   * @throws IllegalStateException if the agent refuses
   */
  Published publish(byte[] payload) {
    Treecast client = application;
    if (client == null) {
      throw new IllegalStateException("node " + life + " has no application");
    }
    try {
      BroadcastResult result = client.broadcast(payload, MAX_WAIT).join();
      return new Published(id(result.messageId()), result.treeVersion());
    } catch (CompletionException e) {
      throw new IllegalStateException("node " + life + " refused to broadcast: " + e.getCause(), e);
    }
  }

  boolean isPaused() {
    return paused;
  }

  void pause() {
    snapshot();
    paused = true;
    agent.pause();
  }

  void resume() {
    agent.resume();
    paused = false;
  }

  /** Where it stands; null if it does not answer, because it stops right now. */
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

  /** The control messages that it sent, by type, as far as it was asked. */
  Map<String, Long> lastControlMessages() {
    AgentSnapshot known = last;
    return known == null ? Map.of() : known.controlMessagesSent();
  }

  void crash() {
    snapshot();
    agent.crash();
    closeApplication();
  }

  void close() {
    closeApplication();
    agent.close();
  }

  private synchronized void closeApplication() {
    Treecast client = application;
    if (client != null) {
      client.close();
    }
  }
}
