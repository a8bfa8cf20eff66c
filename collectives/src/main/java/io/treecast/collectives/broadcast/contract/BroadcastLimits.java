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
 * @param chunkBytes payload bytes of the largest chunk, cut here or accepted from a neighbour;
 *     equal at all agents of a cluster
 * @param payloadBytes bytes of the largest payload that may be published here whole
 * @param publishBufferBytes bytes published here that may wait for slower members; as many again
 *     may wait to be published
 * @param logBytes bytes retained, beyond those that wait, for neighbours that turn out to lack
 *     them. A member that was away while more than this was broadcast misses some of it. The log
 *     holds the largest payload, so that a message of which members have parts is not evicted
 * @param edgeWindowBytes bytes of each {@link Channel} that a neighbour may have sent and that wait
 *     here; on a link with a long round trip also the bytes that it may send in one round trip. The
 *     window for uploads grows where the link carries more and there is memory
 * @param subscriberWindowBytes bytes delivered to a subscriber that it has not consumed
 * @param subscribers the largest number of local subscribers at a time
 * @param topics the largest number of topics, besides the default topic, that this agent publishes
 *     on before one has been idle for five minutes, and that its subscribers want at a time
 * @param origins the largest number of streams of other agents whose progress is remembered. Each
 *     start, topic and lane of uploads of an agent is a stream. At least the number of other
 *     members times {@code topics + 1}, times {@code uploads + 1} where uploads use all topics.
 *     Items of further streams are dropped
 * @param retainedBytes bytes of stable content that the log keeps for later subscribers; less while
 *     the log is needed for content that a member lacks
 * @param memoryBytes total of all these buffers; the part that the others leave is for the windows
 *     of neighbours
 * @param uploads the largest number of {@linkplain Uploads uploads} of local publishers at a time.
 *     Together they may have as many bytes waiting here as one neighbour, {@code edgeWindowBytes}
 * @param uploadBytes bytes of the largest payload that may be uploaded here
 * @param slowSubscriberMillis how long a local subscriber that slows publishers may consume nothing
 *     of a full window; 0 for no limit
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

  /** Two windows of neighbours, and that of uploads. */
  private static final int EDGE_WINDOWS_AT_LEAST = 3;

  /** The bytes of one upload that may have arrived from its publisher and wait for room. */
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
   * largest chunk, and the publish buffer and the log hold the largest payload.
   *
   * @throws IllegalArgumentException naming the setting, its value and the allowed range
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

  /** Returns the total of the windows of all neighbours, one chunk for each of them aside. */
  public long edgesBytes() {
    return memoryBytes
        - withoutEdges(publishBufferBytes, logBytes, subscriberWindowBytes, subscribers, uploads)
        - edgeWindowBytes;
  }

  public BroadcastLimits withRetainedBytes(long newRetainedBytes) {
    return toBuilder().retainedBytes(newRetainedBytes).build();
  }

  public BroadcastLimits withMemoryBytes(long newMemoryBytes) {
    return toBuilder().memoryBytes(newMemoryBytes).build();
  }

  public BroadcastLimits withUploads(int newUploads, long newUploadBytes) {
    return toBuilder().uploads(newUploads).uploadBytes(newUploadBytes).build();
  }

  public BroadcastLimits withSlowSubscriberMillis(long newSlowSubscriberMillis) {
    return toBuilder().slowSubscriberMillis(newSlowSubscriberMillis).build();
  }

  /**
   * Returns a builder of bounds that retain nothing for later subscribers, have memory for any
   * number of edges, and use the default number of uploads. All others have to be set.
   */
  public static Builder builder() {
    return new Builder();
  }

  /** Returns a builder that starts with these bounds. */
  public Builder toBuilder() {
    return new Builder()
        .chunkBytes(chunkBytes)
        .payloadBytes(payloadBytes)
        .publishBufferBytes(publishBufferBytes)
        .logBytes(logBytes)
        .edgeWindowBytes(edgeWindowBytes)
        .subscriberWindowBytes(subscriberWindowBytes)
        .subscribers(subscribers)
        .topics(topics)
        .origins(origins)
        .retainedBytes(retainedBytes)
        .memoryBytes(memoryBytes)
        .uploads(uploads)
        .uploadBytes(uploadBytes)
        .slowSubscriberMillis(slowSubscriberMillis);
  }

  /** Builds bounds. Each method is named after the bound that it sets. */
  public static final class Builder {
    private int chunkBytes;
    private int payloadBytes;
    private long publishBufferBytes;
    private long logBytes;
    private long edgeWindowBytes;
    private long subscriberWindowBytes;
    private int subscribers;
    private int topics;
    private int origins;
    private long retainedBytes;
    private long memoryBytes = MAX_BUFFER_BYTES;
    private int uploads = DEFAULT_UPLOADS;
    private long uploadBytes = MAX_BUFFER_BYTES;
    private long slowSubscriberMillis;

    private Builder() {}

    public Builder chunkBytes(int value) {
      chunkBytes = value;
      return this;
    }

    public Builder payloadBytes(int value) {
      payloadBytes = value;
      return this;
    }

    public Builder publishBufferBytes(long value) {
      publishBufferBytes = value;
      return this;
    }

    public Builder logBytes(long value) {
      logBytes = value;
      return this;
    }

    public Builder edgeWindowBytes(long value) {
      edgeWindowBytes = value;
      return this;
    }

    public Builder subscriberWindowBytes(long value) {
      subscriberWindowBytes = value;
      return this;
    }

    public Builder subscribers(int value) {
      subscribers = value;
      return this;
    }

    public Builder topics(int value) {
      topics = value;
      return this;
    }

    public Builder origins(int value) {
      origins = value;
      return this;
    }

    public Builder retainedBytes(long value) {
      retainedBytes = value;
      return this;
    }

    public Builder memoryBytes(long value) {
      memoryBytes = value;
      return this;
    }

    public Builder uploads(int value) {
      uploads = value;
      return this;
    }

    public Builder uploadBytes(long value) {
      uploadBytes = value;
      return this;
    }

    public Builder slowSubscriberMillis(long value) {
      slowSubscriberMillis = value;
      return this;
    }

    /**
     * Returns the bounds.
     *
     * @throws IllegalArgumentException naming the first one that is out of its range
     */
    public BroadcastLimits build() {
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
          slowSubscriberMillis);
    }
  }

  /** Returns the bounds for {@link #DEFAULT_MEMORY_BYTES}. */
  public static BroadcastLimits defaults() {
    return forMemory(DEFAULT_MEMORY_BYTES);
  }

  /**
   * Returns bounds for a given memory: chunks of 64 KiB, payloads up to 4 MiB, 8 uploads at a time
   * of up to 1 TiB, 64 subscribers, 64 topics, and 65,536 origins, which is enough for 1,000
   * members that use all their topics. The rest is in proportion. With 256 MiB, 16 MiB are the
   * publish buffer and as much waits for it, 64 MiB are the log, of which 16 MiB are retained, 1
   * MiB is for each subscriber, 8 MiB for each edge (11 MiB/s at a round trip of 700 ms) and for
   * all uploads, which leaves 86 MiB for all edges.
   *
   * @param memoryBytes for all together, at least {@link #MIN_MEMORY_BYTES}
   */
  public static BroadcastLimits forMemory(long memoryBytes) {
    require("memoryBytes", memoryBytes, MIN_MEMORY_BYTES, MAX_BUFFER_BYTES, "");
    int chunkBytes = 64 * KIB;
    int payloadBytes = 4 * MIB;
    return builder()
        .chunkBytes(chunkBytes)
        .payloadBytes(payloadBytes)
        .publishBufferBytes(Math.max(memoryBytes / 16, costOfPayload(payloadBytes, chunkBytes)))
        .logBytes(memoryBytes / 4)
        .edgeWindowBytes(memoryBytes / 32)
        .subscriberWindowBytes(memoryBytes / 256)
        .subscribers(64)
        .topics(64)
        .origins(65_536)
        .retainedBytes(memoryBytes / 16)
        .memoryBytes(memoryBytes)
        .uploads(DEFAULT_UPLOADS)
        .uploadBytes(MAX_BUFFER_BYTES)
        .slowSubscriberMillis(DEFAULT_SLOW_SUBSCRIBER_MILLIS)
        .build();
  }

  /** Returns the bytes that a payload takes from the publish buffer: the cost of all its chunks. */
  public long costOfPayload(int bytes) {
    return costOfPayload(bytes, chunkBytes);
  }

  /**
   * Returns the bytes that may be published here from the oldest on that members of the committed
   * tree may lack. It is an equal share of the log beside the {@linkplain #uploadLoanBytes loan},
   * so that the publications of all members fit in each log, but at least the largest payload. With
   * more members than that part of the log holds payloads, they may not fit.
   */
  public long unstableShareBytes(int members) {
    long sharedBytes = logBytes - uploadLoanBytes(members);
    return Math.max(costOfPayload(payloadBytes), sharedBytes / Math.max(1, members));
  }

  /**
   * Returns the share for messages that are published whole. Beside uploads there is always room
   * for the largest message. So a member that uploads may exceed its share if the share is less
   * than twice the largest message.
   */
  public long messageShareBytes(int members, boolean besideUploads) {
    long share = unstableShareBytes(members);
    return besideUploads
        ? Math.max(share, uploadShareBytes(members) + costOfPayload(payloadBytes))
        : share;
  }

  /**
   * Returns the share for uploads: it leaves room for the largest message, and is at least half of
   * the whole share. Beside a {@linkplain #uploadLoanBytes loan} it is smaller, so that the uploads
   * of all members fit in each log.
   */
  public long uploadShareBytes(int members) {
    long share = unstableShareBytes(members);
    long besideMessages = Math.max(share / 2, share - costOfPayload(payloadBytes));
    long loanBytes = uploadLoanBytes(members);
    return loanBytes == 0
        ? besideMessages
        : Math.min(besideMessages, (logBytes - loanBytes) / members);
  }

  /**
   * Returns the bytes that the uploads of one member at a time may take beyond their share: half of
   * the log, or 0 if that half holds a largest payload of each member, so that shares are large
   * without a loan.
   */
  public long uploadLoanBytes(int members) {
    long halfBytes = logBytes / 2;
    return members > Math.max(1, halfBytes / costOfPayload(payloadBytes)) ? halfBytes : 0;
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
