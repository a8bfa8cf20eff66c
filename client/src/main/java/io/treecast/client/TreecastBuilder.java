package io.treecast.client;

import java.nio.file.Path;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/**
 * The settings of a client; each has a default. Every method but {@link #connect} returns this
 * builder, and throws {@link IllegalArgumentException} for a value out of range.
 *
 * <p>Not safe for use by several threads.
 */
public final class TreecastBuilder {
  /**
   * Longest wait that a client accepts, and an agent; where a collective operation says it, {@link
   * CollectiveOptions#MAX_WAIT} is.
   */
  public static final Duration MAX_WAIT = Duration.ofHours(1);

  private final AgentAddress agent;
  private Duration defaultWait = Duration.ofSeconds(30);
  private int maxPayloadBytes = 4 * 1024 * 1024;
  private long maxPendingBytes = 64L * 1024 * 1024;
  private long maxAssemblyBytes = 64L * 1024 * 1024;
  private int maxMessageBytes = 4 * 1024 * 1024;
  private Duration firstReconnectDelay = Duration.ofMillis(100);
  private Duration maxReconnectDelay = Duration.ofSeconds(5);
  private @Nullable Executor handlerExecutor;
  private @Nullable Path tls;

  TreecastBuilder(AgentAddress agent) {
    this.agent = agent;
  }

  /**
   * How long a broadcast waits for agent, tree and room, a blocking subscribe for agent and tree,
   * and a collective operation for agent and members, where the call does not say. Default 30 s; at
   * most {@link #MAX_WAIT}.
   */
  public TreecastBuilder defaultWait(Duration wait) {
    checkWait(wait);
    defaultWait = wait;
    return this;
  }

  /**
   * Largest payload to send, and largest contribution to a collective operation, in bytes. Default
   * 4 MiB, which is the agents' default for payloads, too; for contributions theirs is 1 MiB, and 4
   * MiB is the most that can be set there.
   */
  public TreecastBuilder maxPayloadBytes(int bytes) {
    checkAtLeastOne("maxPayloadBytes", bytes);
    maxPayloadBytes = bytes;
    return this;
  }

  /**
   * Most payload bytes of broadcasts that have no answer yet, each counted with 1 KiB on top; more
   * fail with {@code BUFFER_FULL}. A single broadcast is always let through. Collective operations
   * are counted apart: most bytes of what is asked of the agent, by at most 256 calls. Default 64
   * MiB.
   */
  public TreecastBuilder maxPendingBytes(long bytes) {
    checkAtLeastOne("maxPendingBytes", bytes);
    maxPendingBytes = bytes;
    return this;
  }

  /**
   * Most bytes of messages of which some chunks are missing, for each subscription. A message that
   * would grow beyond goes to {@link MessageHandler#onLargeMessage}, and what follows of it, too;
   * whole messages need about {@link #maxMessageBytes} times the origins that send at once. Default
   * 64 MiB.
   */
  public TreecastBuilder maxAssemblyBytes(long bytes) {
    checkAtLeastOne("maxAssemblyBytes", bytes);
    maxAssemblyBytes = bytes;
    return this;
  }

  /**
   * Largest message that a subscription hands over whole, in bytes; what is larger goes to {@link
   * MessageHandler#onLargeMessage}, chunk by chunk. Default 4 MiB, which is the most that agents
   * let be broadcast whole by default.
   */
  public TreecastBuilder maxMessageBytes(int bytes) {
    checkAtLeastOne("maxMessageBytes", bytes);
    maxMessageBytes = bytes;
    return this;
  }

  /**
   * Delay before the first attempt to reconnect, and the longest, which is reached by doubling;
   * each is shortened at random by up to half. Default 100 ms and 5 s.
   */
  public TreecastBuilder reconnectDelay(Duration first, Duration longest) {
    Objects.requireNonNull(first, "first");
    Objects.requireNonNull(longest, "longest");
    if (first.compareTo(Duration.ofMillis(1)) < 0
        || longest.compareTo(first) < 0
        || longest.compareTo(MAX_WAIT) > 0) {
      throw new IllegalArgumentException(
          "reconnectDelay is "
              + first
              + " to "
              + longest
              + "; allowed are 1 ms to "
              + MAX_WAIT.toHours()
              + " h, the first not above the longest");
    }
    firstReconnectDelay = first;
    maxReconnectDelay = longest;
    return this;
  }

  /**
   * Runs the handlers of {@code subscribe} and {@code watchTree} on this executor; those of one
   * subscription still one at a time. It must not run tasks on the thread that hands them over. It
   * should outlive the client, and take every task: what it rejects, since it was shut down or its
   * queue is full, runs on a thread of the client, and a warning says so once. Default: a thread
   * for each subscription.
   */
  public TreecastBuilder handlerExecutor(Executor executor) {
    handlerExecutor = Objects.requireNonNull(executor, "executor");
    return this;
  }

  /**
   * Talks TLS to the agent. Default: plain text.
   *
   * @param directory with this application's certificate in {@code tls.crt}, its key in {@code
   *     tls.key}, and in {@code ca.crt} whose certificates it trusts, all PEM. Looked at every
   *     minute: connections that are made after a change have the new ones.
   */
  public TreecastBuilder tls(Path directory) {
    tls = Objects.requireNonNull(directory, "directory");
    return this;
  }

  /**
   * Makes the client, which starts to connect; does not block.
   *
   * @throws IllegalArgumentException if the files for TLS cannot be used, naming the file
   */
  public Treecast connect() {
    return new Treecast(
        new ClientSettings(
            agent,
            defaultWait,
            maxPayloadBytes,
            maxPendingBytes,
            maxAssemblyBytes,
            maxMessageBytes,
            firstReconnectDelay,
            maxReconnectDelay,
            handlerExecutor,
            tls == null ? ConnectionSecurity.NONE : ConnectionSecurity.of(tls)));
  }

  static void checkWait(Duration wait) {
    if (Objects.requireNonNull(wait, "wait").isNegative() || wait.compareTo(MAX_WAIT) > 0) {
      throw new IllegalArgumentException(
          "the wait is " + wait + "; allowed are 0 to " + MAX_WAIT.toHours() + " h");
    }
  }

  private static void checkAtLeastOne(String name, long bytes) {
    if (bytes < 1) {
      throw new IllegalArgumentException(name + " is " + bytes + "; the least is 1");
    }
  }
}
