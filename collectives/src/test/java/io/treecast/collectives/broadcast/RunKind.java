package io.treecast.collectives.broadcast;

import io.treecast.collectives.broadcast.contract.BroadcastLimits;
import io.treecast.collectives.broadcast.message.Chunk;
import io.treecast.collectives.broadcast.stability.Absences;
import java.util.List;
import java.util.Random;

/** The subject of a replication run: how large its logs are, and what may be missed. */
enum RunKind {
  /** Logs are as small as allowed, and gaps are acceptable. */
  TIGHT,
  /** Logs have room for one payload of each member, and all stay in the tree; nothing is missed. */
  SNUG,
  /** As SNUG, with room for as many uploads. All kinds but SNUG have uploads. */
  SNUG_WITH_UPLOADS,
  /**
   * As SNUG_WITH_UPLOADS, with nothing published whole. Members may be cut off; a member that is
   * back before uploads continue without it misses nothing.
   */
  UPLOADS_ALONE,
  /**
   * Logs have room for everything, and all begin in one tree and live; nothing is missed, unless a
   * member stays away for long.
   */
  ACQUAINTED,
  /** Logs have room for everything; those that stay in the tree miss nothing. */
  ROOMY,
  /**
   * Logs have room for everything, and members for few streams: those of origins that are gone give
   * way, and items without room are dropped. Subscribers miss none of the arrived items in silence,
   * and none at all if they slow publishers. For a sweep of its own.
   */
  CROWDED;

  private static final List<RunKind> WEIGHTED =
      List.of(TIGHT, SNUG, SNUG_WITH_UPLOADS, UPLOADS_ALONE, ACQUAINTED, ROOMY, ROOMY);

  private static final List<RunKind> ORDERED = List.of(TIGHT, SNUG, ACQUAINTED, ROOMY, ROOMY);

  /**
   * Returns a kind in which most messages are published whole: uploads have no place in an order.
   */
  static RunKind anyOrdered(Random random) {
    return ORDERED.get(random.nextInt(ORDERED.size()));
  }

  static RunKind any(Random random) {
    return WEIGHTED.get(random.nextInt(WEIGHTED.size()));
  }

  /** Returns whether logs have room for everything. */
  boolean isRoomy() {
    return this == ACQUAINTED || this == ROOMY || this == CROWDED;
  }

  boolean nobodyCrashes() {
    return allStay() || this == ACQUAINTED || this == UPLOADS_ALONE;
  }

  boolean allStay() {
    return this == SNUG || this == SNUG_WITH_UPLOADS;
  }

  boolean hasUploads() {
    return this != SNUG && this != CROWDED;
  }

  boolean hasWholeMessages() {
    return this != UPLOADS_ALONE;
  }

  /** Returns how long a member may be away. */
  long longAwayNanos() {
    return this == UPLOADS_ALONE ? Absences.BRIEF_NANOS : Absences.PATIENCE_NANOS;
  }

  /** Whether logs are full of content that members lack. */
  private boolean isSnug() {
    return allStay() || this == UPLOADS_ALONE;
  }

  /**
   * Returns whether a member may be notified of missing a message.
   *
   * @param stayed whether it is in the tree under which the message was published, and in all since
   * @param longAway whether any member may have been away for {@link #longAwayNanos}
   */
  boolean allowsMiss(boolean stayed, boolean longAway) {
    return switch (this) {
      case TIGHT, CROWDED -> true;
      case SNUG, SNUG_WITH_UPLOADS -> false;
      case ACQUAINTED, UPLOADS_ALONE -> longAway;
      case ROOMY -> !stayed;
    };
  }

  /** Returns limits for a network of the given size. */
  BroadcastLimits limits(Random random, int size) {
    int chunkBytes = 1 + random.nextInt(40);
    int payloadBytes = chunkBytes * (1 + random.nextInt(5));
    long chunkCost = Chunk.cost(chunkBytes);
    long payloadCost = 5 * chunkCost;
    long logBytes =
        switch (this) {
          case TIGHT -> payloadCost;
          case SNUG -> size * payloadCost;
          case SNUG_WITH_UPLOADS, UPLOADS_ALONE -> 2L * size * payloadCost;
          case ACQUAINTED, ROOMY, CROWDED -> 1 << 20;
        };
    BroadcastLimits limits =
        BroadcastLimits.builder()
            .chunkBytes(chunkBytes)
            .payloadBytes(payloadBytes)
            .publishBufferBytes(payloadCost * (1 + random.nextInt(3)))
            .logBytes(logBytes)
            .edgeWindowBytes(window(random, chunkCost))
            .subscriberWindowBytes(window(random, chunkCost))
            .subscribers(10)
            .topics(10)
            .origins(this == CROWDED ? Math.max(5, size + random.nextInt(size)) : 1_000)
            .build()
            .withUploads(1 + random.nextInt(3), 1 << 20);
    long leastBytes = limits.memoryBytes() - limits.edgesBytes() + 2 * limits.edgeWindowBytes();
    return limits
        .withRetainedBytes(retained(random, logBytes, chunkCost))
        .withMemoryBytes(
            random.nextBoolean() ? leastBytes + 8 * limits.edgeWindowBytes() : leastBytes);
  }

  /** Nothing, a little, or everything; nothing where logs are full of content that members lack. */
  private long retained(Random random, long logBytes, long chunkCost) {
    return switch (isSnug() ? 0 : random.nextInt(3)) {
      case 0 -> 0;
      case 1 -> Math.min(logBytes, random.nextInt(20) * chunkCost);
      default -> logBytes;
    };
  }

  /** Often one chunk, or hardly more; otherwise several. */
  private static long window(Random random, long chunkCost) {
    int kind = random.nextInt(3);
    return kind == 0
        ? chunkCost
        : kind == 1 ? chunkCost + random.nextInt(100) : chunkCost * (1 + random.nextInt(12));
  }
}
