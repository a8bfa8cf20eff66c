package io.treecast.testkit.sim;

import io.treecast.collectives.Chunk;
import io.treecast.collectives.MessageId;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;

/**
 * When each broadcast of a simulated cluster was delivered in full, at each node. One thread.
 *
 * <p>Checks as it goes that chunks come in order and once.
 */
public final class DeliveryLog {
  private static final long NEVER = -1;

  private static final class Entry {
    final long publishedNanos;
    final long[] deliveredNanos;
    final int[] nextIndex;
    int count;

    Entry(long publishedNanos, int nodes) {
      this.publishedNanos = publishedNanos;
      this.deliveredNanos = new long[nodes];
      this.nextIndex = new int[nodes];
      Arrays.fill(deliveredNanos, NEVER);
    }
  }

  private final int nodes;
  private final Map<MessageId, Entry> entries = new HashMap<>();
  private long totalCount;

  DeliveryLog(int nodes) {
    this.nodes = nodes;
  }

  void published(MessageId message, long nowNanos) {
    // The source's own subscriber has seen it already, at this very time.
    entry(message, nowNanos);
  }

  void delivered(int node, Chunk chunk, long nowNanos) {
    Entry entry = entry(chunk.messageId(), nowNanos);
    if (chunk.index() != entry.nextIndex[node]++ || entry.deliveredNanos[node] != NEVER) {
      throw new AssertionError("node " + node + " was delivered " + chunk + " out of turn");
    }
    if (chunk.last()) {
      entry.deliveredNanos[node] = nowNanos;
      entry.count++;
      totalCount++;
    }
  }

  private Entry entry(MessageId message, long nowNanos) {
    return entries.computeIfAbsent(message, id -> new Entry(nowNanos, nodes));
  }

  /** How many nodes it was delivered at. */
  public int count(MessageId message) {
    Entry entry = entries.get(message);
    return entry == null ? 0 : entry.count;
  }

  /** Deliveries of all messages together. */
  public long totalCount() {
    return totalCount;
  }

  /** From publication to the last of the deliveries so far, nanoseconds. */
  public long lastNanos(MessageId message) {
    Entry entry = entries.get(message);
    return entry == null
        ? 0
        : Arrays.stream(entry.deliveredNanos).max().orElse(NEVER) - entry.publishedNanos;
  }
}
