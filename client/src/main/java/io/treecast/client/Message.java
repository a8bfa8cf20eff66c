package io.treecast.client;

import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A broadcast as a subscriber receives it. Messages with the same id and payload bytes are equal.
 *
 * @param messageId its id in the cluster
 * @param payload its bytes; the receiver may keep and change this array
 * @param position its place in the total order of its topic; null unless the subscription requests
 *     the order
 * @param publishedAt the time of its publication at the origin, by the clock of the subscriber's
 *     agent, with an error of at most half a round trip of each link on the way; null if it is
 *     unknown
 * @param headers the publisher's names and values: see {@link BroadcastOptions#withHeaders}
 */
@SuppressWarnings("ArrayRecordComponent") // Payloads are bytes; equality is by content, below.
public record Message(
    MessageId messageId,
    byte[] payload,
    @Nullable OrderPosition position,
    @Nullable Instant publishedAt,
    Map<String, String> headers) {

  /** Copies the headers. */
  public Message {
    headers = Map.copyOf(headers);
  }

  /** Creates a message without a place in an order, time of publication or headers. */
  public Message(MessageId messageId, byte[] payload) {
    this(messageId, payload, null, null, Map.of());
  }

  /** Returns the node id of the agent that accepted the broadcast. */
  public String origin() {
    return messageId.origin();
  }

  /**
   * Returns that agent's incarnation. It changes with each restart, after which sequences begin
   * with 1 again.
   */
  public long incarnation() {
    return messageId.incarnation();
  }

  /** Returns the topic; empty for the default topic, {@code to/} and ids for selected members. */
  public String topic() {
    return messageId.topic();
  }

  /** Returns the ids of the members that its publisher selected; empty if it selected none. */
  public List<String> receivers() {
    return TopicName.isSelection(topic()) ? TopicName.receivers(topic()) : List.of();
  }

  /** Returns the broadcast's number in its stream, from 1, without gaps: see {@link MessageId}. */
  public long sequence() {
    return messageId.sequence();
  }

  /** Returns the payload as UTF-8 text; malformed bytes become {@code U+FFFD}. */
  public String text() {
    return new String(payload, StandardCharsets.UTF_8);
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof Message that
        && messageId.equals(that.messageId)
        && Arrays.equals(payload, that.payload);
  }

  @Override
  public int hashCode() {
    return messageId.hashCode() * 31 + Arrays.hashCode(payload);
  }

  /** Returns, for example, {@code 12/9f3a6c01d2e4b587/4 (24 bytes)}. */
  @Override
  public String toString() {
    return messageId + " (" + payload.length + " bytes)";
  }
}
