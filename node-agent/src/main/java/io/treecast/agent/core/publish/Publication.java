package io.treecast.agent.core.publish;

import io.treecast.collectives.broadcast.message.Headers;
import io.treecast.collectives.broadcast.message.WantedReplicas;
import java.nio.ByteBuffer;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * A local application's request for a broadcast.
 *
 * @param client the client, for its share of the queue
 * @param topic a name that {@link io.treecast.collectives.broadcast.message.Topic#checked} allows
 * @param payload the payload, which must not change afterwards
 * @param crc32c the checksum of the payload, which receivers verify; null if unknown
 * @param deadlineNanos the time until which it may wait for a tree, for room and for replicas
 * @param receiptMillis the time within which members confirm delivery; 0 for no confirmation,
 *     always 0 on topics other than the default topic
 * @param replicas the number of other members that must have all of it before the outcome is
 *     reported; 0 if the log of this agent suffices
 * @param attempt the identity of a request that may be repeated; null if it is sent once
 * @param headers the headers; empty for uploads
 */
public record Publication(
    String client,
    String topic,
    ByteBuffer payload,
    @Nullable Integer crc32c,
    long deadlineNanos,
    int receiptMillis,
    int replicas,
    @Nullable Attempt attempt,
    Headers headers) {

  /** Creates a request without checksum, receipts, replicas, identity and headers. */
  public static Publication of(
      String client, String topic, ByteBuffer payload, long deadlineNanos) {
    return new Publication(client, topic, payload, null, deadlineNanos, 0, 0, null, Headers.NONE);
  }

  public Publication withReceiptMillis(int millis) {
    return new Publication(
        client, topic, payload, crc32c, deadlineNanos, millis, replicas, attempt, headers);
  }

  public Publication withReplicas(int count) {
    return new Publication(
        client, topic, payload, crc32c, deadlineNanos, receiptMillis, count, attempt, headers);
  }

  public Publication withAttempt(@Nullable Attempt identity) {
    return new Publication(
        client, topic, payload, crc32c, deadlineNanos, receiptMillis, replicas, identity, headers);
  }

  /** Returns the size of payload and headers, which share one limit. */
  int bytes() {
    return payload.remaining() + headers.bytes().remaining();
  }

  /** Returns the replicas to request if the broadcast is published now. */
  WantedReplicas wantedReplicas(long nowNanos) {
    long leftMillis = TimeUnit.NANOSECONDS.toMillis(Math.max(0, deadlineNanos - nowNanos));
    return replicas == 0
        ? WantedReplicas.NONE
        : new WantedReplicas(replicas, (int) Math.min(leftMillis, WantedReplicas.MAX_MILLIS));
  }

  /**
   * The identity of a request that its client may repeat. At most one of the repetitions is carried
   * out.
   *
   * @param retryToken the token, equal in all repetitions
   * @param firstNanos when the first request was sent, by the agent's clock
   */
  public record Attempt(String retryToken, long firstNanos) {
    /** The longest token, in characters. */
    public static final int MAX_TOKEN_LENGTH = 100;
  }
}
