package io.treecast.collectives.broadcast.message;

import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * A piece of a broadcast, the unit of replication. Immutable as long as the memory behind the
 * payload does not change.
 *
 * @param messageId the broadcast that the chunk belongs to
 * @param index of the chunk in its broadcast, from 0
 * @param last whether the broadcast ends with this chunk
 * @param treeVersion version of the committed tree under which the origin published the broadcast
 * @param publishedBytes cost of everything that the origin had published before, on all topics and
 *     lanes
 * @param payload the bytes of the chunk; never written to and never moved: readers take a {@link
 *     ByteBuffer#duplicate()}
 * @param receiptMillis how long after publication the origin waits for receipts, 0 if it requests
 *     none; equal in all chunks of a broadcast
 * @param crc32c in the last chunk: the unsigned checksum of the whole payload, if its publisher
 *     supplied one; otherwise {@link #NO_CHECKSUM}
 * @param abandoned whether the broadcast ends with this chunk because its publisher abandoned it
 * @param replicas how many members report to the origin once they have the whole broadcast; equal
 *     in all its chunks
 * @param publishedNanos in the last chunk: the time of publication by this member's clock; 0 if
 *     unknown
 * @param headers in the last chunk: the {@linkplain Headers headers}; may be empty
 */
public record Chunk(
    MessageId messageId,
    int index,
    boolean last,
    long treeVersion,
    long publishedBytes,
    ByteBuffer payload,
    int receiptMillis,
    long crc32c,
    boolean abandoned,
    WantedReplicas replicas,
    long publishedNanos,
    ByteBuffer headers)
    implements LogItem {
  /** The value of {@link #crc32c} of a chunk without a checksum. */
  public static final long NO_CHECKSUM = -1;

  private static final ByteBuffer NO_HEADERS = Headers.NONE.bytes();

  /**
   * Fixed cost of a chunk beside its payload, in bytes, wherever chunks are counted: windows,
   * credit, buffers and logs. Headers count as payload. It is the heap that the objects of a logged
   * chunk occupy on a 64-bit JVM with compressed references, rounded up. With a smaller value,
   * small messages would take more memory than the limits allow.
   */
  public static final int OVERHEAD_BYTES = 256;

  /** Approximate size of the frame around a chunk on the wire, in bytes beside its payload. */
  static final int FRAME_BYTES = 64;

  /** The longest time that an origin may wait for receipts: an hour. */
  public static final int MAX_RECEIPT_MILLIS = 3_600_000;

  /**
   * Takes a view of the payload, without copying it. An array behind it stays accessible, so that
   * it can be sent as it is.
   *
   * @throws IllegalArgumentException if {@code index < 0}, {@code treeVersion < 1}, {@code
   *     publishedBytes < 0}, {@code receiptMillis} is {@linkplain #checkReceiptMillis not allowed},
   *     or a chunk that is not the last has a component reserved for the last one
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
    if (!last && (abandoned || crc32c != NO_CHECKSUM || headers.hasRemaining())) {
      throw new IllegalArgumentException(
          "chunk " + index + " of " + messageId + " is not the last");
    }
    payload = payload.slice();
    headers = headers.hasRemaining() ? headers.slice() : NO_HEADERS;
  }

  /** Creates a chunk with headers. */
  public Chunk(
      MessageId messageId,
      int index,
      boolean last,
      long treeVersion,
      long publishedBytes,
      ByteBuffer payload,
      int receiptMillis,
      @Nullable Integer crc32c,
      boolean abandoned,
      WantedReplicas replicas,
      long publishedNanos,
      Headers headers) {
    this(
        messageId,
        index,
        last,
        treeVersion,
        publishedBytes,
        payload,
        receiptMillis,
        crc32c == null ? NO_CHECKSUM : Integer.toUnsignedLong(crc32c),
        abandoned,
        replicas,
        publishedNanos,
        headers.bytes());
  }

  /**
   * Checks how long an origin may wait for receipts. Receipts are possible only on the default
   * topic and in a selection, whose receivers are known. No origin knows which members want another
   * topic.
   *
   * @throws IllegalArgumentException if {@code receiptMillis} is not 0 to {@link
   *     #MAX_RECEIPT_MILLIS}, or not 0 on another topic
   */
  public static void checkReceiptMillis(String topic, int receiptMillis) {
    if (receiptMillis < 0 || receiptMillis > MAX_RECEIPT_MILLIS) {
      throw new IllegalArgumentException(
          "receiptMillis is " + receiptMillis + "; allowed are 0 to " + MAX_RECEIPT_MILLIS);
    }
    if (receiptMillis > 0 && !Topic.hasKnownReceivers(topic)) {
      throw new IllegalArgumentException(
          "receipts are requested on topic '"
              + topic
              + "'; only broadcasts on the default topic can be confirmed");
    }
  }

  /** Creates a chunk without replicas, time of publication and headers. */
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
        WantedReplicas.NONE,
        0,
        Headers.NONE);
  }

  /**
   * Creates a chunk that requests no receipts and has no checksum, the first that its origin
   * publishes.
   */
  public Chunk(MessageId messageId, int index, boolean last, long treeVersion, ByteBuffer payload) {
    this(messageId, index, last, treeVersion, 0, payload, 0, null, false);
  }

  /**
   * Returns this chunk with its stream named by the given equal object. Each chunk decoded from a
   * neighbour brings its own copies of the names, which are larger than a small payload.
   */
  @SuppressWarnings("ReferenceEquality") // The object, not its value, is what matters here.
  public Chunk withStream(StreamId sameStream) {
    if (sameStream == messageId.stream()) {
      return this;
    }
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
        replicas,
        publishedNanos,
        headers);
  }

  /** Returns this chunk with its time of publication; 0 for an unknown one. */
  public Chunk publishedAt(long nanos) {
    return new Chunk(
        messageId,
        index,
        last,
        treeVersion,
        publishedBytes,
        payload,
        receiptMillis,
        crc32c,
        abandoned,
        replicas,
        nanos,
        headers);
  }

  /** Returns whether members report the delivery of the broadcast. */
  public boolean asksForReceipts() {
    return receiptMillis > 0;
  }

  /** Returns the number of payload bytes. */
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
    return cost((long) bytes() + headers.remaining());
  }

  /** Returns the {@link #cost()} of a chunk with the given number of payload bytes. */
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
