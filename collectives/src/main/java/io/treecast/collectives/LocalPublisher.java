package io.treecast.collectives;

import io.treecast.collectives.BroadcastRefusedException.Reason;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * Cuts payloads that local publishers hand over whole into chunks of this node's streams. Relay's
 * thread.
 */
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
  private final PublicationWindow window;
  private final Receipts receipts;
  private final Log log;
  private final PublishBuffer buffer;
  private long publishedMessages;

  LocalPublisher(
      BroadcastLimits limits,
      Streams streams,
      PublicationWindow window,
      Receipts receipts,
      Log log) {
    this.limits = limits;
    this.streams = streams;
    this.window = window;
    this.receipts = receipts;
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
      String topic,
      ByteBuffer payload,
      int receiptMillis,
      @Nullable Integer crc32c,
      long treeVersion,
      int members)
      throws BroadcastRefusedException {
    receipts.check(topic, receiptMillis);
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
    long usedBytes = window.usedBytes();
    long shareBytes = limits.messageShareBytes(members, window.isUsedByUploads());
    if (cost > shareBytes - usedBytes) {
      throw new BroadcastRefusedException(
          Reason.PUBLISH_BUFFER_FULL,
          "payload of "
              + bytes
              + " bytes has no room beside "
              + usedBytes
              + " bytes published since what slower members lack; limits.logBytes = "
              + limits.logBytes()
              + " is shared by "
              + members
              + " members");
    }
    StreamLog own = streams.own(topic, StreamId.WHOLE);
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
      Integer checksum = last ? crc32c : null;
      Chunk chunk =
          new Chunk(
              id,
              index++,
              last,
              treeVersion,
              window.publish(Chunk.cost(length)),
              slice,
              receiptMillis,
              checksum,
              false);
      log.append(own, chunk, buffer);
    } while (offset < bytes);
    return id;
  }
}
