package io.treecast.collectives;

import io.treecast.collectives.BroadcastRefusedException.Reason;
import java.nio.ByteBuffer;

/** Cuts the payloads of local publishers into chunks of this node's streams. Relay's thread. */
final class LocalPublisher {
  /** In place of a tree's version. */
  static final long NO_TREE = 0;

  /** Where chunks go. */
  @FunctionalInterface
  interface Log {
    void append(StreamLog stream, LogItem item, Inlet inlet);
  }

  private final BroadcastLimits limits;
  private final Streams streams;
  private final Log log;
  private final PublishBuffer buffer;
  private long publishedMessages;

  LocalPublisher(BroadcastLimits limits, Streams streams, Log log) {
    this.limits = limits;
    this.streams = streams;
    this.log = log;
    this.buffer = new PublishBuffer(limits.publishBufferBytes());
  }

  long publishedMessages() {
    return publishedMessages;
  }

  /** Cost of what was published here and is held still. */
  long waitingBytes() {
    return buffer.waitingBytes();
  }

  /**
   * As {@link BroadcastRelay#publish}, under the version of the committed tree, of so many members.
   */
  MessageId publish(
      String topic, ByteBuffer payload, int receiptMillis, long treeVersion, int members)
      throws BroadcastRefusedException {
    int bytes = payload.remaining();
    if (bytes > limits.payloadBytes()) {
      throw new BroadcastRefusedException(
          Reason.PAYLOAD_TOO_LARGE,
          "payload of "
              + bytes
              + " bytes is larger than limits.payloadBytes = "
              + limits.payloadBytes());
    }
    if (treeVersion == NO_TREE) {
      throw new BroadcastRefusedException(Reason.NO_TREE, "no tree is committed yet");
    }
    long cost = limits.costOfPayload(bytes);
    if (!buffer.hasRoomFor(cost)) {
      throw new BroadcastRefusedException(
          Reason.PUBLISH_BUFFER_FULL,
          "payload of "
              + bytes
              + " bytes has no room beside "
              + buffer.waitingBytes()
              + " bytes that wait for slower members; limits.publishBufferBytes = "
              + limits.publishBufferBytes());
    }
    long shareBytes = limits.unstableShareBytes(members);
    long unstableBytes = streams.ownUnstableBytes();
    if (cost > shareBytes - unstableBytes) {
      throw new BroadcastRefusedException(
          Reason.PUBLISH_BUFFER_FULL,
          "payload of "
              + bytes
              + " bytes has no room beside "
              + unstableBytes
              + " bytes that slower members lack; limits.logBytes = "
              + limits.logBytes()
              + " is shared by "
              + members
              + " members");
    }
    StreamLog own = stream(topic);
    buffer.take(cost);
    publishedMessages++;
    MessageId id = new MessageId(own.id(), own.next().sequence());
    int offset = 0;
    int index = 0;
    do {
      int length = Math.min(limits.chunkBytes(), bytes - offset);
      ByteBuffer slice = payload.slice(payload.position() + offset, length);
      offset += length;
      boolean last = offset == bytes;
      log.append(own, new Chunk(id, index++, last, treeVersion, slice, receiptMillis), buffer);
    } while (offset < bytes);
    return id;
  }

  private StreamLog stream(String topic) throws BroadcastRefusedException {
    StreamLog own = streams.own(topic);
    if (own == null && streams.ownTopics() > limits.topics()) {
      throw new BroadcastRefusedException(
          Reason.TOO_MANY_TOPICS,
          "this agent has published on limits.topics = "
              + limits.topics()
              + " topics since it started; use one of those, or raise the limit on all agents");
    }
    return own == null ? streams.beginOwn(Topic.checked(topic)) : own;
  }
}
