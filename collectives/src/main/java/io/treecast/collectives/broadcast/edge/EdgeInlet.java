package io.treecast.collectives.broadcast.edge;

import io.treecast.collectives.broadcast.contract.BroadcastLimits;
import io.treecast.collectives.broadcast.log.Inlet;
import io.treecast.collectives.broadcast.message.Chunk;

/**
 * The receiving half of a data edge: counts the neighbour's waiting items and grants it credit.
 *
 * <p>Invariant while the stream is open: the bytes that wait here, those that may still be granted
 * and those that the neighbour may send add up to the window. A stream starts with nothing granted,
 * and its first grant is the window less the bytes that still wait from an earlier stream:
 * reopening never adds memory.
 *
 * <p>Released bytes are granted in batches of a quarter of the window, at most a mebibyte, so that
 * credit is a small part of the traffic. A batch never holds back so much that the neighbour could
 * lack the credit for one chunk while nothing waits here.
 */
public final class EdgeInlet implements Inlet {
  /** Sends credit to the neighbour. */
  @FunctionalInterface
  interface Grant {
    /**
     * Grants more bytes.
     *
     * @param windowBytes the part that enlarges the window
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
   * The part of future grants that enlarges the window. It is granted first, so that items that
   * wait from an earlier stream are not mistaken for items that this stream has carried. Negative
   * if credit for carried items was dropped when the window shrank: the next grants make up for it.
   */
  private long ungrantedWindowBytes;

  EdgeInlet(BroadcastLimits limits, Grant grant) {
    firstGrantBytes = Chunk.cost(limits.chunkBytes());
    this.grant = grant;
  }

  /**
   * Begins a stream.
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

  /** Enlarges the window of the open stream to the given size, if that is larger. */
  void widen(long window) {
    if (window > windowBytes) {
      ungrantedBytes += window - windowBytes;
      ungrantedWindowBytes += window - windowBytes;
      setWindow(window);
      grantIfDue();
    }
  }

  /**
   * Accepts returned credit: the window shrinks to the bytes that wait or may still be sent, but
   * holds the largest chunk.
   *
   * @return false, with nothing changed, if the neighbour did not have that much credit
   */
  boolean narrow(long bytes) {
    long creditBytes = windowBytes - waitingBytes - ungrantedBytes;
    if (bytes > creditBytes) {
      return false;
    }
    long usedBytes = waitingBytes + creditBytes - bytes;
    setWindow(Math.max(firstGrantBytes, usedBytes));
    ungrantedWindowBytes += windowBytes - usedBytes - ungrantedBytes;
    ungrantedBytes = windowBytes - usedBytes;
    grantIfDue();
    return true;
  }

  /** Ends the stream; items that came from it may still wait. */
  void close() {
    open = false;
  }

  /**
   * Counts an item that arrived.
   *
   * @return false, with nothing counted, if the neighbour had no credit for it
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

  /** Returns how many bytes may wait here if no further stream is opened. */
  long reservedBytes() {
    return open ? Math.max(windowBytes, waitingBytes) : waitingBytes;
  }

  /** Returns the cost of the items that arrived here and still wait. */
  long waitingBytes() {
    return waitingBytes;
  }

  private void grantIfDue() {
    if (ungrantedBytes >= (granted ? batchBytes : firstGrantBytes)) {
      long bytes = ungrantedBytes;
      long windowPart = Math.max(0, Math.min(bytes, ungrantedWindowBytes));
      ungrantedBytes = 0;
      ungrantedWindowBytes -= windowPart;
      granted = true;
      grant.accept(bytes, windowPart);
    }
  }
}
