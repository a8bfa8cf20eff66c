package io.treecast.collectives.broadcast.edge;

import io.treecast.collectives.broadcast.contract.BroadcastLimits;
import io.treecast.collectives.broadcast.log.Inlet;
import io.treecast.collectives.broadcast.message.Chunk;

/**
 * The receiving half of a data edge: counts what waits of the neighbour's items and grants it
 * credit.
 *
 * <p>While the stream is open, what waits here, what may still be granted and what the neighbour
 * may send add up to the window, always. A stream starts with nothing granted, and its first grant
 * is the window less what still waits from an earlier stream: reopening never adds memory.
 *
 * <p>Bytes given back are granted in batches of a quarter of the window, or of a mebibyte if that is
 * less, so that credit is a small part of the traffic, and a large window is not short of much. A batch never holds back so much that the neighbour could lack the credit
 * for one chunk while nothing waits here.
 */
public final class EdgeInlet implements Inlet {
  /** Tells the neighbour of its credit. */
  @FunctionalInterface
  interface Grant {
    /**
     * It may send so much more.
     *
     * @param windowBytes how much of that makes the window larger
     */
    void accept(long bytes, long windowBytes);
  }

  private static final long MOST_BATCH_BYTES = 1 << 20;

  private final long firstGrantBytes;
  private final Grant grant;
  private long windowBytes;
  private long batchBytes;
  private boolean open;
  private boolean granted;
  private long waitingBytes;
  private long ungrantedBytes;

  /**
   * How much of what will be granted makes the window larger. It goes first, so what waits from an
   * earlier stream is not taken for what this one has carried.
   */
  private long ungrantedWindowBytes;

  EdgeInlet(BroadcastLimits limits, Grant grant) {
    firstGrantBytes = Chunk.cost(limits.chunkBytes());
    this.grant = grant;
  }

  /**
   * A stream begins.
   *
   * @param window at least the cost of the largest chunk
   */
  void open(long window) {
    setWindow(window);
    open = true;
    granted = false;
    ungrantedBytes = windowBytes - waitingBytes;
    ungrantedWindowBytes = windowBytes;
    grantIfDue();
  }

  private void setWindow(long window) {
    windowBytes = window;
    long quarterBytes = Math.min(windowBytes / 4, MOST_BATCH_BYTES);
    batchBytes = Math.max(1, Math.min(quarterBytes, windowBytes - firstGrantBytes));
  }

  /** The window of the open stream is so much from now on, if that is more than before. */
  void widen(long window) {
    if (window > windowBytes) {
      ungrantedBytes += window - windowBytes;
      ungrantedWindowBytes += window - windowBytes;
      setWindow(window);
      grantIfDue();
    }
  }

  /**
   * The neighbour gives credit back: the window is no more than what waits and what it may send
   * still, but room for the largest chunk.
   *
   * @return false, and nothing is changed, if it did not have so much
   */
  boolean narrow(long bytes) {
    long creditBytes = windowBytes - waitingBytes - ungrantedBytes;
    if (bytes > creditBytes) {
      return false;
    }
    long usedBytes = waitingBytes + creditBytes - bytes;
    setWindow(Math.max(firstGrantBytes, usedBytes));
    ungrantedBytes = windowBytes - usedBytes;
    grantIfDue();
    return true;
  }

  /** The stream has ended; what came from it may still wait. */
  void close() {
    open = false;
  }

  /**
   * Counts a item that arrived.
   *
   * @return false, and nothing is counted, if the neighbour had no credit for it
   */
  boolean take(long bytes) {
    if (bytes > windowBytes - waitingBytes - ungrantedBytes) {
      return false;
    }
    waitingBytes += bytes;
    return true;
  }

  @Override
  public void release(long bytes) {
    waitingBytes -= bytes;
    if (open) {
      ungrantedBytes += bytes;
      grantIfDue();
    }
  }

  /** How much may wait here, if nothing more is opened. */
  long reservedBytes() {
    return open ? Math.max(windowBytes, waitingBytes) : waitingBytes;
  }

  /** Cost of what came in here and still waits. */
  long waitingBytes() {
    return waitingBytes;
  }

  private void grantIfDue() {
    if (ungrantedBytes >= (granted ? batchBytes : firstGrantBytes)) {
      long bytes = ungrantedBytes;
      long windowPart = Math.min(bytes, ungrantedWindowBytes);
      ungrantedBytes = 0;
      ungrantedWindowBytes -= windowPart;
      granted = true;
      grant.accept(bytes, windowPart);
    }
  }
}
