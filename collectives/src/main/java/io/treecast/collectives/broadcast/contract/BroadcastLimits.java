package io.treecast.collectives.broadcast.contract;

import io.treecast.collectives.broadcast.BroadcastRelay;
import io.treecast.collectives.broadcast.message.Channel;
import io.treecast.collectives.broadcast.message.Chunk;
import io.treecast.collectives.broadcast.message.LogItem;
import io.treecast.collectives.broadcast.message.StreamId;
import io.treecast.collectives.broadcast.publish.Uploads;

/**
 * The bounds of a {@link BroadcastRelay}. Immutable. Windows and buffers count each chunk with its
 * {@link LogItem#cost()}.
 *
 * @param chunkBytes payload bytes of the largest chunk, cut here or accepted from a neighbour; all
 *     agents of a cluster need the same value
 * @param payloadBytes bytes of the largest payload that may be published here whole
 * @param publishBufferBytes how much may have been published here and wait for slower members; and
 *     as much again may wait to be published
 * @param logBytes how much is retained beyond what waits, for neighbours that turn out to lack it:
 *     a member that was away while more than this was broadcast misses some of it; it holds the
 *     largest payload, so that one of which members have parts is not let go
 * @param edgeWindowBytes how much a neighbour may have sent of each {@link Channel} that waits
 *     here; on a link with a long round trip also how much it may send in one; of uploads more if
 *     the link turns out to carry more, and there is memory
 * @param subscriberWindowBytes how much may have been delivered to a subscriber that it has not
 *     consumed
 * @param subscribers the most local subscribers at a time
 * @param topics the most topics, besides the default topic, that this agent publishes on before one
 *     has been idle for five minutes, and that its subscribers want at a time
 * @param origins the most streams of other agents, one for each of their starts, topics and lanes
 *     of uploads, whose progress is remembered; at least the other members times {@code topics +
 *     1}, times {@code uploads + 1} where these use all topics; what comes of others is dropped
 * @param retainedBytes how much of the log stays, of what all members have, for subscribers that
 *     come later; less while the log is needed for what some member lacks
 * @param memoryBytes how much all of these may take together; what the others leave of it is for
 *     the windows of neighbours
 * @param uploads the most {@linkplain Uploads uploads} of local publishers at a time; all of them
 *     together may have so much waiting here as one neighbour, {@code edgeWindowBytes}
 * @param uploadBytes bytes of the largest payload that may be uploaded here
 * @param slowSubscriberMillis how long a local subscriber that slows publishers may take nothing of
 *     a full window; 0 for ever
 */
public record BroadcastLimits(
    int chunkBytes,
    int payloadBytes,
    long publishBufferBytes,
    long logBytes,
    long edgeWindowBytes,
    long subscriberWindowBytes,
    int subscribers,
    int topics,
    int origins,
    long retainedBytes,
    long memoryBytes,
    int uploads,
    long uploadBytes,
    long slowSubscriberMillis) {
  private static final int KIB = 1 << 10;
  private static final int MIB = 1 << 20;

  /** The largest allowed {@code limits.chunkBytes}. */
  public static final int MAX_CHUNK_BYTES = MIB;

  /** The largest allowed {@code limits.payloadBytes}. */
  public static final int MAX_PAYLOAD_BYTES = 1 << 30;

  /** The largest allowed window, buffer or memory: sums of them stay far from overflow. */
  public static final long MAX_BUFFER_BYTES = 1L << 40;

  /**
   * The largest allowed {@code limits.subscribers}, {@code limits.topics} and {@code
   * limits.origins}.
   */
  public static final int MAX_COUNT = 1 << 24;

  /** Two of neighbours, and that of uploads. */
  private static final int EDGE_WINDOWS_AT_LEAST = 3;

  /** How much of one upload may have come from its publisher and wait for room, in bytes. */
  public static final int UPLOAD_WAITING_BYTES = 256 * KIB;

  private static final int DEFAULT_UPLOADS = 8;

  /** The largest allowed {@code limits.slowSubscriberMillis}: a day. */
  public static final long MAX_SLOW_SUBSCRIBER_MILLIS = 86_400_000;

  private static final long DEFAULT_SLOW_SUBSCRIBER_MILLIS = 60_000;

  /** The smallest {@code limits.memoryBytes} that {@link #forMemory} takes. */
  public static final long MIN_MEMORY_BYTES = 32L * MIB;

  /** The default {@code limits.memoryBytes}. */
  public static final long DEFAULT_MEMORY_BYTES = 256L * MIB;

  /**
   * Checks that every limit is in its range and leaves room for progress: a window holds the
   * largest chunk, the publish buffer and the log the largest payload.
   *
   * @throws IllegalArgumentException naming the setting, its value and what is allowed
   */
  public BroadcastLimits {
    require("chunkBytes", chunkBytes, 1, MAX_CHUNK_BYTES, "");
    require("payloadBytes", payloadBytes, 1, MAX_PAYLOAD_BYTES, "");
    String onePayload = "; it holds at least one payload of limits.payloadBytes = " + payloadBytes;
    long payloadCost = costOfPayload(payloadBytes, chunkBytes);
    require("publishBufferBytes", publishBufferBytes, payloadCost, MAX_BUFFER_BYTES, onePayload);
    String oneChunk = "; it holds at least one chunk of limits.chunkBytes = " + chunkBytes;
    long chunkCost = Chunk.cost(chunkBytes);
    require("logBytes", logBytes, payloadCost, MAX_BUFFER_BYTES, onePayload);
    require("edgeWindowBytes", edgeWindowBytes, chunkCost, MAX_BUFFER_BYTES, oneChunk);
    require("subscriberWindowBytes", subscriberWindowBytes, chunkCost, MAX_BUFFER_BYTES, oneChunk);
    require("subscribers", subscribers, 1, MAX_COUNT, "");
    require("topics", topics, 1, MAX_COUNT, "");
    require("origins", origins, 1, MAX_COUNT, "");
    require("uploads", uploads, 1, StreamId.MAX_LANE, "");
    require("uploadBytes", uploadBytes, 1, MAX_BUFFER_BYTES, "");
    require("slowSubscriberMillis", slowSubscriberMillis, 0, MAX_SLOW_SUBSCRIBER_MILLIS, "");
    require("retainedBytes", retainedBytes, 0, logBytes, "; it is a part of limits.logBytes");
    require(
        "memoryBytes",
        memoryBytes,
        withoutEdges(publishBufferBytes, logBytes, subscriberWindowBytes, subscribers, uploads)
            + EDGE_WINDOWS_AT_LEAST * edgeWindowBytes,
        MAX_BUFFER_BYTES,
        "; it holds twice limits.publishBufferBytes = "
            + publishBufferBytes
            + ", limits.logBytes = "
            + logBytes
            + ", limits.subscribers = "
            + subscribers
            + " times limits.subscriberWindowBytes = "
            + subscriberWindowBytes
            + ", limits.uploads = "
            + uploads
            + " times "
            + UPLOAD_WAITING_BYTES
            + ", and at least "
            + EDGE_WINDOWS_AT_LEAST
            + " times limits.edgeWindowBytes = "
            + edgeWindowBytes);
  }

  /**
   * Bounds that retain nothing for later subscribers, have memory for any number of edges, and the
   * default limits of uploads.
   */
  public BroadcastLimits(
      int chunkBytes,
      int payloadBytes,
      long publishBufferBytes,
      long logBytes,
      long edgeWindowBytes,
      long subscriberWindowBytes,
      int subscribers,
      int topics,
      int origins) {
    this(
        chunkBytes,
        payloadBytes,
        publishBufferBytes,
        logBytes,
        edgeWindowBytes,
        subscriberWindowBytes,
        subscribers,
        topics,
        origins,
        0,
        MAX_BUFFER_BYTES,
        DEFAULT_UPLOADS,
        MAX_BUFFER_BYTES,
        0);
  }

  private static long withoutEdges(
      long publishBufferBytes,
      long logBytes,
      long subscriberWindowBytes,
      int subscribers,
      int uploads) {
    long subscribersBytes =
        subscriberWindowBytes > MAX_BUFFER_BYTES / subscribers
            ? MAX_BUFFER_BYTES
            : subscribers * subscriberWindowBytes;
    return 2 * publishBufferBytes
        + logBytes
        + subscribersBytes
        + (long) uploads * UPLOAD_WAITING_BYTES;
  }

  /** What the windows of all neighbours may add up to, one chunk for each of them aside. */
  public long edgesBytes() {
    return memoryBytes
        - withoutEdges(publishBufferBytes, logBytes, subscriberWindowBytes, subscribers, uploads)
        - edgeWindowBytes;
  }

  public BroadcastLimits withRetainedBytes(long newRetainedBytes) {
    return new BroadcastLimits(
        chunkBytes,
        payloadBytes,
        publishBufferBytes,
        logBytes,
        edgeWindowBytes,
        subscriberWindowBytes,
        subscribers,
        topics,
        origins,
        newRetainedBytes,
        memoryBytes,
        uploads,
        uploadBytes,
        slowSubscriberMillis);
  }

  public BroadcastLimits withMemoryBytes(long newMemoryBytes) {
    return new BroadcastLimits(
        chunkBytes,
        payloadBytes,
        publishBufferBytes,
        logBytes,
        edgeWindowBytes,
        subscriberWindowBytes,
        subscribers,
        topics,
        origins,
        retainedBytes,
        newMemoryBytes,
        uploads,
        uploadBytes,
        slowSubscriberMillis);
  }

  public BroadcastLimits withUploads(int newUploads, long newUploadBytes) {
    return new BroadcastLimits(
        chunkBytes,
        payloadBytes,
        publishBufferBytes,
        logBytes,
        edgeWindowBytes,
        subscriberWindowBytes,
        subscribers,
        topics,
        origins,
        retainedBytes,
        memoryBytes,
        newUploads,
        newUploadBytes,
        slowSubscriberMillis);
  }

  public BroadcastLimits withSlowSubscriberMillis(long newSlowSubscriberMillis) {
    return new BroadcastLimits(
        chunkBytes,
        payloadBytes,
        publishBufferBytes,
        logBytes,
        edgeWindowBytes,
        subscriberWindowBytes,
        subscribers,
        topics,
        origins,
        retainedBytes,
        memoryBytes,
        uploads,
        uploadBytes,
        newSlowSubscriberMillis);
  }

  /** The bounds for {@link #DEFAULT_MEMORY_BYTES}. */
  public static BroadcastLimits defaults() {
    return forMemory(DEFAULT_MEMORY_BYTES);
  }

  /**
   * Chunks of 64 KiB, payloads to 4 MiB, 8 uploads at a time, of any size up to 1 TiB, 64
   * subscribers, 64 topics, 65,536 origins: enough for 1,000 members that use all their topics; the
   * rest in proportion. Of 256 MiB that is a publish buffer of 16 MiB and as much to wait for it, a
   * log of 64 MiB, of which 16 MiB are retained, 1 MiB for each subscriber, 8 MiB for each edge (11
   * MiB/s at a round trip of 700 ms) and for all uploads, and so 86 MiB for all edges.
   *
   * @param memoryBytes for all together, at least {@link #MIN_MEMORY_BYTES}
   */
  public static BroadcastLimits forMemory(long memoryBytes) {
    require("memoryBytes", memoryBytes, MIN_MEMORY_BYTES, MAX_BUFFER_BYTES, "");
    int chunkBytes = 64 * KIB;
    int payloadBytes = 4 * MIB;
    return new BroadcastLimits(
        chunkBytes,
        payloadBytes,
        Math.max(memoryBytes / 16, costOfPayload(payloadBytes, chunkBytes)),
        memoryBytes / 4,
        memoryBytes / 32,
        memoryBytes / 256,
        64,
        64,
        65_536,
        memoryBytes / 16,
        memoryBytes,
        DEFAULT_UPLOADS,
        MAX_BUFFER_BYTES,
        DEFAULT_SLOW_SUBSCRIBER_MILLIS);
  }

  /** What a payload of so many bytes takes from the publish buffer: the cost of all its chunks. */
  public long costOfPayload(int bytes) {
    return costOfPayload(bytes, chunkBytes);
  }

  /**
   * How much may be published here from the oldest on that members of the committed tree may lack:
   * an equal share of the log, so that what all members publish fits in each log; but at least the
   * largest payload, so with more members than logs hold payloads, it may not.
   */
  public long unstableShareBytes(int members) {
    return Math.max(costOfPayload(payloadBytes), logBytes / Math.max(1, members));
  }

  /**
   * The same for messages that are published whole: beside uploads there is always room for the
   * largest. So where the share is not twice that, a member that uploads may take more.
   */
  public long messageShareBytes(int members, boolean besideUploads) {
    long share = unstableShareBytes(members);
    return besideUploads
        ? Math.max(share, uploadShareBytes(members) + costOfPayload(payloadBytes))
        : share;
  }

  /** The same for uploads: it leaves room for the largest message, and is at least half. */
  public long uploadShareBytes(int members) {
    long share = unstableShareBytes(members);
    return Math.max(share / 2, share - costOfPayload(payloadBytes));
  }

  /** An empty payload is one empty chunk. */
  private static long costOfPayload(long bytes, long chunkBytes) {
    long chunks = Math.max(1, (bytes + chunkBytes - 1) / chunkBytes);
    return bytes + chunks * Chunk.OVERHEAD_BYTES;
  }

  private static void require(String setting, long value, long least, long most, String why) {
    if (value < least || value > most) {
      throw new IllegalArgumentException(
          "limits." + setting + " is " + value + "; allowed are " + least + " to " + most + why);
    }
  }
}
