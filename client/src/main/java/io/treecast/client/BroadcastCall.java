package io.treecast.client;

import com.google.protobuf.ByteString;
import io.treecast.client.TreecastException.Reason;
import io.treecast.proto.v1.BroadcastRequest;
import io.treecast.proto.v1.BroadcastResponse;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A broadcast on its way to the agent. It is sent once. The agent may wait for a tree and for room
 * for the rest of the call's time, so its answer names the one that was missing. The call ends when
 * any party completes the future.
 *
 * <p>Safe for use by any thread.
 */
final class BroadcastCall {
  /** The time for the agent's answer after the agent's own limit. */
  static final Duration ANSWER_MARGIN = Duration.ofSeconds(5);

  private static final String NOT_SENT = ", so the broadcast was not sent";

  private final AgentConnection connection;
  private final PublishStream stream;
  private final ByteString payload;
  private final ByteString headers;
  private final int crc32c;
  private final BroadcastOptions options;
  private final Duration wait;
  private final long startNanos;
  private final CompletableFuture<BroadcastResult> result = new CompletableFuture<>();
  private final Consumer<BroadcastCall> onEnd;

  /**
   * The gRPC call on which the broadcast waits for an answer; null before and after. Guarded by the
   * stream, like the next two fields.
   */
  private PublishStream.@Nullable Session sentOn;

  /** The number of the broadcast in that call. */
  private long number;

  /** The position among the client's broadcasts. */
  private long order;

  /** Whether the wait ends without a connection; later it ends without an answer. */
  private volatile boolean mayWaitForConnection;

  /** The agent that has received the broadcast; null before it is sent. */
  private volatile @Nullable AgentAddress sentTo;

  /** The time of {@link #expire}. Guarded by {@link PendingBroadcasts}. */
  private long expiryNanos;

  /**
   * Creates the call, which begins with {@link #start}.
   *
   * @param onEnd called at least once when there is a result, before the caller receives it
   */
  BroadcastCall(
      AgentConnection connection,
      PublishStream stream,
      ByteString payload,
      BroadcastOptions options,
      Duration wait,
      Consumer<BroadcastCall> onEnd) {
    this.connection = connection;
    this.stream = stream;
    this.payload = payload;
    this.headers = Headers.encode(options.headers());
    this.crc32c = crc32c(payload);
    this.options = options;
    this.wait = wait;
    this.onEnd = onEnd;
    this.startNanos = connection.nowNanos();
    this.expiryNanos = startNanos + wait.plus(ANSWER_MARGIN).toNanos();
  }

  /** Returns the bytes of the payload and of the headers, which share its limit. */
  int payloadBytes() {
    return payload.size() + headers.size();
  }

  long order() {
    return order;
  }

  void setOrder(long order) {
    this.order = order;
  }

  long number() {
    return number;
  }

  PublishStream.@Nullable Session sentOn() {
    return sentOn;
  }

  void setSent(PublishStream.Session on, long number) {
    this.sentOn = on;
    this.number = number;
  }

  void setAnswered() {
    sentOn = null;
  }

  CompletableFuture<BroadcastResult> result() {
    return result;
  }

  /** Returns whether the call has a result, or its caller has cancelled it. */
  boolean isOver() {
    return result.isDone();
  }

  long expiryNanos() {
    return expiryNanos;
  }

  void setExpiryNanos(long expiryNanos) {
    this.expiryNanos = expiryNanos;
  }

  /**
   * Sends the broadcast now, or as soon as the agent accepts more.
   *
   * @return the time after which {@link #expire} must be called, unless there is a result
   */
  Duration start() {
    var unused = result.whenComplete((accepted, error) -> stop());
    stream.send(this);
    mayWaitForConnection = sentTo == null;
    return mayWaitForConnection ? wait : wait.plus(ANSWER_MARGIN);
  }

  /** Fails the broadcast, unless it has ended. */
  void fail(TreecastException why) {
    onEnd.accept(this);
    result.completeExceptionally(why);
  }

  /**
   * Returns whether the outcome stays certain if this agent, one of several, receives the
   * broadcast.
   */
  boolean maySendTo(AgentAddress agent) {
    RetryToken token = options.retryToken();
    return token == null || token.maySendTo(agent);
  }

  /** Returns the request for an agent. From then on the broadcast counts as sent. */
  BroadcastRequest request(AgentAddress to) {
    sentTo = to;
    long spentNanos = connection.nowNanos() - startNanos;
    long leftMillis = Math.max(0, wait.toMillis() - TimeUnit.NANOSECONDS.toMillis(spentNanos));
    BroadcastRequest.Builder request =
        request(options, leftMillis).setPayload(payload).setHeaders(headers).setCrc32C(crc32c);
    RetryToken token = options.retryToken();
    if (token != null) {
      request.setRetryToken(token.name()).setTokenAgeMillis(token.sentNow(to));
    }
    return request.build();
  }

  /** Returns the request without payload. */
  static BroadcastRequest.Builder request(BroadcastOptions options, long waitMillis) {
    return BroadcastRequest.newBuilder()
        .setWaitMillis(waitMillis)
        .setTopic(options.topic())
        .setReplicas(options.replicas())
        .setConfirmMillis((int) options.confirmMillis());
  }

  /**
   * Fails the broadcast at the end of its wait. While there is a connection, even a wait of zero
   * suffices to send it.
   *
   * @return the time after which this method must be called again; null if there is a result
   */
  @Nullable Duration expire() {
    if (!mayWaitForConnection) {
      fail(stream.expire(this));
      return null;
    }
    mayWaitForConnection = false;
    TreecastException unreachable = stream.withdrawUnreachable(this);
    if (unreachable == null) {
      return ANSWER_MARGIN;
    }
    fail(unreachable);
    return null;
  }

  private void stop() {
    onEnd.accept(this);
    stream.withdraw(this);
  }

  private static int crc32c(ByteString payload) {
    PayloadChecksum checksum = new PayloadChecksum();
    checksum.update(payload);
    return checksum.value();
  }

  // Handles the agent's acceptance.

  void accepted(BroadcastResponse response) {
    onEnd.accept(this);
    DisseminationTree tree = new DisseminationTree(TreeMetric.LATENCY, response.getTreeVersion());
    complete(result, FromWire.broadcastResult(response, tree), options, agent());
  }

  /**
   * Completes the result with the agent's acceptance, or fails it if fewer members than required
   * have the broadcast.
   */
  static void complete(
      CompletableFuture<BroadcastResult> result,
      BroadcastResult accepted,
      BroadcastOptions options,
      AgentAddress agent) {
    if (accepted.replicas() >= options.replicas()) {
      result.complete(accepted);
      return;
    }
    result.completeExceptionally(
        new TreecastException(
            Reason.NOT_REPLICATED,
            accepted,
            ("agent %s has accepted the broadcast as %s, replicas reached: %s of %s; do not "
                    + "send it again: it is on its way, and is lost only if all agents that "
                    + "have it fail. Wait longer, or ask for no more replicas than the tree "
                    + "has other members")
                .formatted(agent, accepted.messageId(), accepted.replicas(), options.replicas())));
  }

  /** Handles the agent's refusal of a broadcast that was sent. */
  void refused(CallFailure failure) {
    notAccepted();
    notTaken(failure);
  }

  /** Notes that the agent has not accepted the attempt and will not accept it later. */
  void notAccepted() {
    RetryToken token = options.retryToken();
    if (token != null) {
      token.refused();
    }
  }

  /** Handles the switch of the client to an agent that cannot know earlier attempts. */
  void sentElsewhere(AgentAddress present) {
    fail(
        new TreecastException(
            Reason.RETRY_TOO_LATE,
            "the client has switched to agent "
                + present
                + ", and only the agent of an earlier attempt with this retry token has a record "
                + "of whether it was accepted; repeat it with a client of that agent alone, "
                + "ask the subscribers, or send it as a new broadcast if a duplicate does no "
                + "harm"));
  }

  /** Returns the agent that has received the broadcast, or the present one before. */
  private AgentAddress agent() {
    AgentAddress to = sentTo;
    return to == null ? connection.agent() : to;
  }

  /** Handles the refusal of a call before the broadcast was sent. */
  void notTaken(CallFailure failure) {
    fail(failure.ofBroadcast(agent(), ofEarlierAttempts()));
  }

  /** Handles the agent's limit of payloads, which the broadcast exceeds. */
  void tooLarge(long maxPayloadBytes) {
    fail(
        new TreecastException(
            Reason.PAYLOAD_TOO_LARGE,
            ("agent %s takes payloads of at most %s bytes, and this one has %s: upload it, "
                    + "which has no such limit, send less, or raise limits.payloadBytes of "
                    + "the agents%s")
                .formatted(agent(), maxPayloadBytes, payloadBytes(), ofEarlierAttempts())));
  }

  /** Handles the loss of the call after the broadcast was sent: the outcome stays unknown. */
  void lost(CallFailure failure) {
    fail(outcomeUnknown(" (" + failure.text() + ")", failure.cause()));
  }

  /** Returns the failure of a broadcast that was sent and has timed out. */
  TreecastException unanswered() {
    return outcomeUnknown(
        " within %s ms, the wait and %s ms for the answer"
            .formatted(wait.plus(ANSWER_MARGIN).toMillis(), ANSWER_MARGIN.toMillis()),
        null);
  }

  private TreecastException outcomeUnknown(String noAnswer, @Nullable Throwable cause) {
    return new TreecastException(
        Reason.OUTCOME_UNKNOWN,
        ("agent %s gave no answer%s: it is unknown whether it accepted the broadcast; "
                + "sending it again may deliver it twice, unless with a retry token")
            .formatted(agent(), noAnswer),
        cause);
  }

  /** Returns the failure of a broadcast that has timed out before there was a connection. */
  TreecastException unreachable() {
    return connection.unsent(wait, notSent(), null);
  }

  /**
   * Returns the failure of a broadcast that has timed out before the agent accepted any broadcasts.
   */
  TreecastException neverAccepted() {
    return new TreecastException(
        Reason.AGENT_UNREACHABLE,
        ("agent %s is connected, but took no broadcasts within %s ms%s: it may hang; check "
                + "it, or send the broadcast through another agent")
            .formatted(connection.agent(), wait.plus(ANSWER_MARGIN).toMillis(), notSent()));
  }

  /** Returns the failure of a broadcast that has timed out before the agent accepted more. */
  TreecastException heldBack() {
    return new TreecastException(
        Reason.BUFFER_FULL,
        ("agent %s took no more broadcasts within %s ms, because too many earlier ones have "
                + "no answer%s; broadcast again when earlier ones are through")
            .formatted(connection.agent(), wait.plus(ANSWER_MARGIN).toMillis(), notSent()));
  }

  private String notSent() {
    return mayBeAcceptedAlready()
        ? ", so this attempt was not sent, but an earlier one with the same retry token may have"
            + " been accepted"
        : NOT_SENT;
  }

  /** Returns a remark on earlier attempts, to be appended to a refusal of this attempt alone. */
  private String ofEarlierAttempts() {
    return mayBeAcceptedAlready()
        ? "; an earlier attempt with the same retry token may have been accepted"
        : "";
  }

  private boolean mayBeAcceptedAlready() {
    RetryToken token = options.retryToken();
    return token != null && token.mayBeAccepted();
  }

  /** Returns the failure of a call that has timed out before it was sent. */
  static TreecastException unreachable(
      AgentConnection connection, Duration waited, @Nullable CallFailure failure) {
    return connection.unsent(waited, NOT_SENT, failure);
  }
}
