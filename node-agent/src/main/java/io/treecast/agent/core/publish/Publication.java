package io.treecast.agent.core.publish;

import io.treecast.collectives.broadcast.message.Headers;
import io.treecast.collectives.broadcast.message.WantedReplicas;
import java.nio.ByteBuffer;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * A local application's request for a broadcast.
 *
 * @param client the application: the queue is shared among clients
 * @param topic a name that {@link io.treecast.collectives.broadcast.message.Topic#checked} allows
 * @param payload not to be changed afterwards
 * @param crc32c of the payload, for its receivers to check; null if it is not known
 * @param deadlineNanos until when it may wait for a tree, for room and for replicas
 * @param receiptMillis how long members may take to confirm it; 0 if they are not asked to, as on
 *     any topic but the default topic
 * @param replicas how many other members must have all of it before the outcome is reported; 0 if
 *     the log of this one is enough
 * @param attempt identifies the request if it may be sent again; null if it is sent once
 * @param headers the headers; uploads have none
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

  /** Creates a request without an headers. */
  public Publication(
      String client,
      String topic,
      ByteBuffer payload,
      @Nullable Integer crc32c,
      long deadlineNanos,
      int receiptMillis,
      int replicas,
      @Nullable Attempt attempt) {
    this(
        client,
        topic,
        payload,
        crc32c,
        deadlineNanos,
        receiptMillis,
        replicas,
        attempt,
        Headers.NONE);
  }

  /** Creates a request that waits for no replicas. */
  public Publication(
      String client,
      String topic,
      ByteBuffer payload,
      @Nullable Integer crc32c,
      long deadlineNanos,
      int receiptMillis,
      @Nullable Attempt attempt) {
    this(client, topic, payload, crc32c, deadlineNanos, receiptMillis, 0, attempt);
  }

  /** Returns the bytes of the payload and of the headers, which share its limit. */
  int bytes() {
    return payload.remaining() + headers.bytes().remaining();
  }

  /** Returns the wanted replicas of a broadcast that is published now. */
  WantedReplicas wantedReplicas(long nowNanos) {
    long leftMillis = TimeUnit.NANOSECONDS.toMillis(Math.max(0, deadlineNanos - nowNanos));
    return replicas == 0
        ? WantedReplicas.NONE
        : new WantedReplicas(replicas, (int) Math.min(leftMillis, WantedReplicas.MAX_MILLIS));
  }

  /**
   * One of several requests for the same broadcast, of which at most one is to be carried out.
   *
   * @param retryToken the same in all of them
   * @param firstNanos when the first was sent, by the agent's clock
   */
  public record Attempt(String retryToken, long firstNanos) {
    /** The longest token, in characters. */
    public static final int MAX_TOKEN_LENGTH = 100;
  }
}
