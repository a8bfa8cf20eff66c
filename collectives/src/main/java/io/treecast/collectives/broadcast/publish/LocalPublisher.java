package io.treecast.collectives.broadcast.publish;

import io.treecast.collectives.broadcast.BroadcastRelay;
import io.treecast.collectives.broadcast.contract.BroadcastLimits;
import io.treecast.collectives.broadcast.contract.BroadcastRefusedException;
import io.treecast.collectives.broadcast.contract.BroadcastRefusedException.Reason;
import io.treecast.collectives.broadcast.log.Inlet;
import io.treecast.collectives.broadcast.log.StreamLog;
import io.treecast.collectives.broadcast.message.Chunk;
import io.treecast.collectives.broadcast.message.Headers;
import io.treecast.collectives.broadcast.message.LogItem;
import io.treecast.collectives.broadcast.message.MessageId;
import io.treecast.collectives.broadcast.message.StreamId;
import io.treecast.collectives.broadcast.message.WantedReplicas;
import io.treecast.collectives.broadcast.receipt.Receipts;
import io.treecast.collectives.broadcast.receipt.Replicas;
import io.treecast.collectives.broadcast.stream.Streams;
import io.treecast.collectives.broadcast.tree.TreePlace;
import java.nio.ByteBuffer;
import java.util.function.IntSupplier;
import java.util.function.ObjIntConsumer;
import org.jspecify.annotations.Nullable;

/**
 * Cuts payloads that local publishers hand over whole into chunks of this node's streams, if there
 * is room in the publish buffer and in this node's share of the logs.
 */
public final class LocalPublisher {
  /** The destination of chunks. */
  @FunctionalInterface
  public interface ChunkSink {
    void append(StreamLog stream, LogItem item, Inlet inlet);
  }

  private final BroadcastLimits limits;
  private final Streams streams;
  private final PublicationWindow window;
  private final Receipts receipts;
  private final Replicas replicas;
  private final ObjIntConsumer<MessageId> replicated;
  private final ChunkSink log;
  private final IntSupplier memberCount;
  private final PublishBuffer buffer;
  private long treeVersion = TreePlace.NO_TREE;
  private long publishedMessages;
  private long publishedBytes;
  private long nowNanos;

  /**
   * Creates the publisher of one member.
   *
   * @param replicated called with the number of members that have a message that wants replicas
   * @param memberCount returns how many members share the log
   */
  public LocalPublisher(
      BroadcastLimits limits,
      Streams streams,
      PublicationWindow window,
      Receipts receipts,
      Replicas replicas,
      ObjIntConsumer<MessageId> replicated,
      ChunkSink log,
      IntSupplier memberCount) {
    this.limits = limits;
    this.streams = streams;
    this.window = window;
    this.receipts = receipts;
    this.replicas = replicas;
    this.replicated = replicated;
    this.log = log;
    this.memberCount = memberCount;
    this.buffer = new PublishBuffer(limits.publishBufferBytes());
  }

  /** Publishes messages under this tree from now on. */
  public void treeCommitted(long version) {
    treeVersion = version;
    window.treeCommitted();
  }

  /** Advances time. */
  public void tick(long now) {
    nowNanos = now;
  }

  public long publishedMessages() {
    return publishedMessages;
  }

  /** Returns the number of payload bytes of the published messages. */
  public long publishedBytes() {
    return publishedBytes;
  }

  /** Returns the cost of the items that were published here and are still held. */
  public long waitingBytes() {
    return buffer.waitingBytes();
  }

  /**
   * Returns whether a waiting payload of the given size may be published now. The answer may change
   * with each call that releases an item: one that a neighbour or a subscriber took, or that became
   * stable.
   */
  public boolean canPublish(int bytes) {
    return !isTurnOfUploads() && hasRoomFor(bytes);
  }

  /**
   * Returns whether messages that can wait must let uploads go first, because these have had less
   * of the room.
   */
  public boolean isTurnOfUploads() {
    return window.isTurnOfUploads(Chunk.cost(limits.chunkBytes()));
  }

  private boolean hasRoomFor(int bytes) {
    long cost = limits.costOfPayload(bytes);
    return buffer.hasRoomFor(cost) && cost <= shareBytes() - window.usedBytes();
  }

  /**
   * Returns an explanation why there is no room for a payload of the given size: which buffer is
   * full, and its setting.
   */
  public String fullReason(int bytes) {
    String payload = "payload of " + bytes + " bytes has no room beside ";
    if (!buffer.hasRoomFor(limits.costOfPayload(bytes))) {
      return payload
          + buffer.waitingBytes()
          + " bytes that wait for slower members; limits.publishBufferBytes = "
          + limits.publishBufferBytes();
    }
    if (hasRoomFor(bytes)) {
      return payload + "uploads, which are next";
    }
    return payload
        + window.usedBytes()
        + " bytes that slower members have not received yet; limits.logBytes = "
        + limits.logBytes()
        + " is shared by "
        + memberCount.getAsInt()
        + " members";
  }

  private long shareBytes() {
    boolean besideUploads = window.isUsedByUploads();
    long shareBytes = limits.messageShareBytes(memberCount.getAsInt(), besideUploads);
    return besideUploads ? shareBytes + window.loanBytes() : shareBytes;
  }

  /** Publishes, as {@link BroadcastRelay#publish}, under the version of the committed tree. */
  public MessageId publish(
      String topic,
      ByteBuffer payload,
      int receiptMillis,
      @Nullable Integer crc32c,
      WantedReplicas wanted,
      Headers headers)
      throws BroadcastRefusedException {
    receipts.check(topic, receiptMillis);
    replicas.check(wanted);
    int payloadBytes = payload.remaining();
    int headerBytes = headers.bytes().remaining();
    int bytes = payloadBytes + headerBytes;
    if (headerBytes > limits.chunkBytes()) {
      throw new BroadcastRefusedException(
          Reason.PAYLOAD_TOO_LARGE,
          "headers of %s bytes are larger than limits.chunkBytes = %s"
              .formatted(headerBytes, limits.chunkBytes()));
    }
    if (bytes > limits.payloadBytes()) {
      throw new BroadcastRefusedException(
          Reason.PAYLOAD_TOO_LARGE,
          (headerBytes == 0 ? "payload of " : "payload with headers of ")
              + bytes
              + " bytes is larger than limits.payloadBytes = "
              + limits.payloadBytes());
    }
    if (treeVersion == TreePlace.NO_TREE) {
      throw new BroadcastRefusedException(Reason.NO_TREE, "no tree is committed yet");
    }
    if (!hasRoomFor(bytes)) {
      throw new BroadcastRefusedException(Reason.PUBLISH_BUFFER_FULL, fullReason(bytes));
    }
    StreamLog own = streams.own(topic, StreamId.WHOLE);
    buffer.take(limits.costOfPayload(bytes));
    publishedMessages++;
    publishedBytes += bytes;
    MessageId id = new MessageId(own.id(), own.next().sequence());
    replicas.begins(id, wanted, reached -> replicated.accept(id, reached));
    int offset = 0;
    int index = 0;
    boolean last;
    do {
      int length = Math.min(limits.chunkBytes(), payloadBytes - offset);
      ByteBuffer slice = payload.slice(payload.position() + offset, length);
      offset += length;
      last = offset == payloadBytes && length + headerBytes <= limits.chunkBytes();
      Integer checksum = last ? crc32c : null;
      Chunk chunk =
          new Chunk(
              id,
              index++,
              last,
              treeVersion,
              window.publishMessage(own, Chunk.cost(last ? length + headerBytes : length)),
              slice,
              receiptMillis,
              checksum,
              false,
              wanted,
              last ? nowNanos : 0,
              last ? headers : Headers.NONE);
      log.append(own, chunk, buffer);
    } while (!last);
    return id;
  }
}
