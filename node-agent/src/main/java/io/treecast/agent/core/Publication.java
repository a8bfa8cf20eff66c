package io.treecast.agent.core;

import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * A broadcast that a local application asks for.
 *
 * @param client names the application that asks: what may wait is shared among clients
 * @param topic a name that {@link io.treecast.collectives.Topic#checked} allows
 * @param payload not to be changed afterwards
 * @param crc32c of the payload, for its receivers to check; null if it is not known
 * @param deadlineNanos until when it may wait for a tree and for room
 * @param receiptMillis how long members may take to confirm it; 0 if they are not asked to, as on
 *     any topic but the default topic
 * @param attempt names the request if it may be sent again; null if it is sent once
 */
public record Publication(
    String client,
    String topic,
    ByteBuffer payload,
    @Nullable Integer crc32c,
    long deadlineNanos,
    int receiptMillis,
    @Nullable Attempt attempt) {

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
