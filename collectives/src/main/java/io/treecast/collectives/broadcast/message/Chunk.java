package io.treecast.collectives.broadcast.message;

import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * A piece of a broadcast, the unit of replication. Immutable as long as nobody writes to the memory
 * behind the payload.
 *
 * @param messageId the broadcast it belongs to
 * @param index from 0
 * @param last whether the broadcast ends with this chunk
 * @param treeVersion version of the committed tree under which the origin published the broadcast
 * @param publishedBytes cost of all that its origin had published before, on all topics and lanes
 * @param payload its bytes; never written to and never moved: readers take a {@link
 *     ByteBuffer#duplicate()}
 * @param receiptMillis how long after its publication the origin waits for receipts, 0 if it asks
 *     for none; the same in all chunks of a broadcast
 * @param crc32c of the whole payload of the broadcast, in its last chunk, if its publisher told
 * @param abandoned whether the broadcast ends with this chunk since its publisher abandoned it
 * @param replicas how many members are to tell the origin that they have all of the broadcast; the
 *     same in all its chunks
 */
public record Chunk(
    MessageId messageId,
    int index,
    boolean last,
    long treeVersion,
    long publishedBytes,
    ByteBuffer payload,
    int receiptMillis,
    @Nullable Integer crc32c,
    boolean abandoned,
    WantedReplicas replicas)
    implements LogItem {
  /**
   * What a chunk counts beside its payload, in bytes, wherever chunks are counted: windows, credit,
   * buffers and logs. It is what the objects of one in a log take on a Java machine of 64 bits with
   * compressed references, rounded up. With less, small messages would take more memory than the
   * limits say.
   */
  public static final int OVERHEAD_BYTES = 256;

  /** About what names a chunk on its way, in bytes beside its payload. */
  static final int FRAME_BYTES = 64;

  /** The longest that an origin may wait for receipts: an hour. */
  public static final int MAX_RECEIPT_MILLIS = 3_600_000;

  /**
   * Takes a view of the payload, without copying it. An array behind it stays within reach, so that
   * it can be sent as it is.
   *
   * @throws IllegalArgumentException if {@code index < 0}, {@code treeVersion < 1}, {@code
   *     publishedBytes < 0}, {@code receiptMillis} is {@linkplain #checkReceiptMillis not allowed},
   *     or what only a last chunk can have is of another
   */
  public Chunk {
    if (index < 0) {
      throw new IllegalArgumentException("chunk index " + index + " is negative");
    }
    if (treeVersion < 1) {
      throw new IllegalArgumentException("tree version " + treeVersion + " is less than 1");
    }
    if (publishedBytes < 0) {
      throw new IllegalArgumentException(publishedBytes + " bytes published are negative");
    }
    checkReceiptMillis(messageId.topic(), receiptMillis);
    if (!last && (abandoned || crc32c != null)) {
      throw new IllegalArgumentException(
          "chunk " + index + " of " + messageId + " is not the last");
    }
    payload = payload.slice();
  }

  /**
   * Checks that an origin may wait so long for receipts. Who wants a topic is known of neither
   * members nor origins, so only on the default topic is it known whose receipts to wait for.
   *
   * @throws IllegalArgumentException if {@code receiptMillis} is not 0 to {@link
   *     #MAX_RECEIPT_MILLIS}, or not 0 on another topic than the default topic
   */
  public static void checkReceiptMillis(String topic, int receiptMillis) {
    if (receiptMillis < 0 || receiptMillis > MAX_RECEIPT_MILLIS) {
      throw new IllegalArgumentException(
          "receiptMillis is " + receiptMillis + "; allowed are 0 to " + MAX_RECEIPT_MILLIS);
    }
    if (receiptMillis > 0 && !topic.equals(Topic.DEFAULT)) {
      throw new IllegalArgumentException(
          "receipts are asked for on topic '"
              + topic
              + "'; only broadcasts on the default topic can be confirmed");
    }
  }

  /** A chunk of a broadcast whose publisher waits for no replicas. */
  public Chunk(
      MessageId messageId,
      int index,
      boolean last,
      long treeVersion,
      long publishedBytes,
      ByteBuffer payload,
      int receiptMillis,
      @Nullable Integer crc32c,
      boolean abandoned) {
    this(
        messageId,
        index,
        last,
        treeVersion,
        publishedBytes,
        payload,
        receiptMillis,
        crc32c,
        abandoned,
        WantedReplicas.NONE);
  }

  /**
   * The same, which asks for no receipts and has no checksum, of an origin that had published
   * nothing before.
   */
  public Chunk(MessageId messageId, int index, boolean last, long treeVersion, ByteBuffer payload) {
    this(messageId, index, last, treeVersion, 0, payload, 0, null, false);
  }

  /**
   * The same, which names its stream by this object: each chunk that a neighbour sends comes with
   * names of its own, larger than a small payload.
   */
  public Chunk withStream(StreamId sameStream) {
    return new Chunk(
        new MessageId(sameStream, messageId.sequence()),
        index,
        last,
        treeVersion,
        publishedBytes,
        payload,
        receiptMillis,
        crc32c,
        abandoned,
        replicas);
  }

  /** Whether members that have delivered the broadcast are to say so. */
  public boolean asksForReceipts() {
    return receiptMillis > 0;
  }

  /** Payload bytes. */
  public int bytes() {
    return payload.remaining();
  }

  @Override
  public StreamId stream() {
    return messageId.stream();
  }

  @Override
  public Position from() {
    return new Position(messageId.sequence(), index);
  }

  @Override
  public Position to() {
    return last
        ? new Position(messageId.sequence() + 1, 0)
        : new Position(messageId.sequence(), index + 1L);
  }

  @Override
  public long cost() {
    return cost(bytes());
  }

  /** The {@link #cost()} of a chunk with so many payload bytes. */
  public static long cost(long payloadBytes) {
    return payloadBytes + OVERHEAD_BYTES;
  }

  /** For example {@code 12/9f3a6c01d2e4b587/4 chunk 0 (last, 24 bytes)}. */
  @Override
  public String toString() {
    String end = abandoned ? "abandoned, " : last ? "last, " : "";
    return messageId + " chunk " + index + " (" + end + bytes() + " bytes)";
  }
}
