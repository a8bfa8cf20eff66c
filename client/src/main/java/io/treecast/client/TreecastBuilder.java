package io.treecast.client;

import io.treecast.tls.BearerToken;
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
   * The maximum wait that clients and agents accept; for collective operations it is {@link
   * CollectiveOptions#MAX_WAIT}.
   */
  public static final Duration MAX_WAIT = Duration.ofHours(1);

  private final AgentAddresses agents;
  private Duration defaultWait = Duration.ofSeconds(30);
  private int maxPayloadBytes = 4 * 1024 * 1024;
  private long maxPendingBytes = 64L * 1024 * 1024;
  private long maxAssemblyBytes = 64L * 1024 * 1024;
  private int maxMessageBytes = 4 * 1024 * 1024;
  private Duration firstReconnectDelay = Duration.ofMillis(100);
  private Duration maxReconnectDelay = Duration.ofSeconds(5);
  private @Nullable Executor handlerExecutor;
  private @Nullable Path tls;
  private @Nullable BearerToken token;

  TreecastBuilder(AgentAddresses agents) {
    this.agents = agents;
  }

  /**
   * Sets the default wait of calls: of a broadcast for agent, tree and room, of a blocking
   * subscribe for agent and tree, of a collective operation for agent and members. Default 30 s; at
   * most {@link #MAX_WAIT}.
   */
  public TreecastBuilder defaultWait(Duration wait) {
    checkWait(wait);
    defaultWait = wait;
    return this;
  }

  /**
   * Sets the maximum size of a payload to send, and of a contribution to a collective operation, in
   * bytes. Default 4 MiB. The agents' default for payloads is also 4 MiB; for contributions it is 1
   * MiB, and at most 4 MiB.
   */
  public TreecastBuilder maxPayloadBytes(int bytes) {
    checkAtLeastOne("maxPayloadBytes", bytes);
    maxPayloadBytes = bytes;
    return this;
  }

  /**
   * Limits the payload bytes of broadcasts and requests that the agent has not answered or not
   * received, each with 1 KiB on top; more fail with {@code BUFFER_FULL}. A single one is always
   * accepted. The contributions to at most 256 collective operations have a separate limit of the
   * same size. Default 64 MiB.
   */
  public TreecastBuilder maxPendingBytes(long bytes) {
    checkAtLeastOne("maxPendingBytes", bytes);
    maxPendingBytes = bytes;
    return this;
  }

  /**
   * Limits the bytes of incomplete messages, for each subscription. A message that would exceed the
   * limit goes to {@link MessageHandler#onLargeMessage}, with all its further chunks. Whole
   * messages need about {@link #maxMessageBytes} times the number of origins that send at once.
   * Default 64 MiB.
   */
  public TreecastBuilder maxAssemblyBytes(long bytes) {
    checkAtLeastOne("maxAssemblyBytes", bytes);
    maxAssemblyBytes = bytes;
    return this;
  }

  /**
   * Sets the maximum size of a message that a subscription delivers whole, in bytes; larger ones go
   * to {@link MessageHandler#onLargeMessage}, chunk by chunk. Default 4 MiB, the agents' default
   * for the largest whole broadcast.
   */
  public TreecastBuilder maxMessageBytes(int bytes) {
    checkAtLeastOne("maxMessageBytes", bytes);
    maxMessageBytes = bytes;
    return this;
  }

  /**
   * Sets the first and the longest delay before an attempt to reconnect. The delay doubles with
   * each attempt; each is shortened at random by up to half. Default 100 ms and 5 s.
   */
  public TreecastBuilder reconnectDelay(Duration first, Duration longest) {
    Objects.requireNonNull(first, "first");
    Objects.requireNonNull(longest, "longest");
    if (first.compareTo(Duration.ofMillis(1)) < 0
        || longest.compareTo(first) < 0
        || longest.compareTo(MAX_WAIT) > 0) {
      throw new IllegalArgumentException(
          ("reconnectDelay is %s to %s; allowed are 1 ms to %s h, the first not above the "
                  + "longest")
              .formatted(first, longest, MAX_WAIT.toHours()));
    }
    firstReconnectDelay = first;
    maxReconnectDelay = longest;
    return this;
  }

  /**
   * Runs the handlers of {@code subscribe} and {@code watchTree} on this executor; those of one
   * subscription still run one at a time. The executor must not run tasks on the submitting thread.
   * It should outlive the client, and accept every task: a task that it rejects, because it was
   * shut down or its queue is full, runs on a thread of the client, and a warning is logged once.
   * Default: a thread for each subscription.
   */
  public TreecastBuilder handlerExecutor(Executor executor) {
    handlerExecutor = Objects.requireNonNull(executor, "executor");
    return this;
  }

  /**
   * Uses TLS to the agent. Default: plain text.
   *
   * @param directory with this application's certificate in {@code tls.crt}, its key in {@code
   *     tls.key}, and the trusted authorities in {@code ca.crt}, all PEM. The files are checked
   *     every minute; later connections use the new files.
   */
  public TreecastBuilder tls(Path directory) {
    tls = Objects.requireNonNull(directory, "directory");
    return this;
  }

  /**
   * Identifies this application by a token to agents with permissions. The token is sent only over
   * TLS, or to an agent on this machine. Default: none.
   *
   * @param secret 1 to 1,000 visible characters of ASCII
   */
  public TreecastBuilder token(String secret) {
    token = BearerToken.of(Objects.requireNonNull(secret, "token"));
    return this;
  }

  /**
   * Returns the client, which starts to connect; does not block.
   *
   * @throws IllegalArgumentException if a file for TLS cannot be used, with its name; or if there
   *     is a token without TLS, and an address is not of this machine
   */
  public Treecast connect() {
    if (token != null && tls == null && !agents.all().stream().allMatch(AgentAddress::isLoopback)) {
      throw new IllegalArgumentException(
          "the token is not sent in plain text to "
              + agents
              + ": connect by TLS, or to 127.0.0.1, [::1] or localhost");
    }
    return new Treecast(
        new ClientSettings(
            agents,
            defaultWait,
            maxPayloadBytes,
            maxPendingBytes,
            maxAssemblyBytes,
            maxMessageBytes,
            firstReconnectDelay,
            maxReconnectDelay,
            handlerExecutor,
            ConnectionSecurity.of(tls, token)));
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
