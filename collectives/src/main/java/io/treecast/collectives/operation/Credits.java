package io.treecast.collectives.operation;

import io.treecast.collectives.operation.contract.CombiningLimits;
import io.treecast.collectives.operation.contract.CombiningMessage;
import io.treecast.collectives.operation.contract.CombiningMessage.Credit;
import io.treecast.ghs.NodeId;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The credit of the open stream to each neighbour, in both directions, which bounds the messages
 * that wait for a slow edge.
 *
 * <p>A sender with any credit left may send one more message, of whatever size. Each end of a new
 * stream starts with a window, and gets more when the other end has processed some of that.
 */
final class Credits {
  /**
   * The bytes that may be under way on a new stream, in {@linkplain CombiningMessage#cost costs}.
   */
  static final long WINDOW_BYTES = 1 << 20;

  /** The memory divided by this number may be under way from one neighbour. */
  private static final int WINDOWS_IN_MEMORY = 16;

  /** Sums from the beginning of a stream. */
  private static final class Sums {
    long sentBytes;
    long maySendBytes;
    long receivedBytes;
    long mayReceiveBytes;
  }

  private final long firstBytes;
  private final long windowBytes;
  private final Map<NodeId, Sums> byNeighbour = new HashMap<>();

  /**
   * Creates credits without open streams.
   *
   * @param windowBytes the window of a neighbour after the first messages; if it is less than
   *     {@link #WINDOW_BYTES}, it must be equal at both ends
   */
  Credits(long windowBytes) {
    this.firstBytes = Math.min(WINDOW_BYTES, windowBytes);
    this.windowBytes = windowBytes;
  }

  /** Returns the window for members with these limits. */
  static long windowBytes(CombiningLimits limits) {
    return Math.max(WINDOW_BYTES, limits.totalBytes() / WINDOWS_IN_MEMORY);
  }

  /** Opens a stream, if there was none. */
  void opened(NodeId neighbour) {
    Sums sums = new Sums();
    sums.maySendBytes = firstBytes;
    sums.mayReceiveBytes = firstBytes;
    byNeighbour.putIfAbsent(neighbour, sums);
  }

  /** Closes the stream; returns false if there was none. */
  boolean closed(NodeId neighbour) {
    return byNeighbour.remove(neighbour) != null;
  }

  boolean isOpen(NodeId neighbour) {
    return byNeighbour.containsKey(neighbour);
  }

  /** Returns whether a message may be sent to this neighbour now. */
  boolean hasRoom(NodeId neighbour) {
    Sums sums = byNeighbour.get(neighbour);
    return sums != null && sums.sentBytes < sums.maySendBytes;
  }

  void sent(NodeId neighbour, CombiningMessage message) {
    Sums sums = byNeighbour.get(neighbour);
    if (sums != null) {
      sums.sentBytes += message.cost();
    }
  }

  /**
   * Notes that this member has processed a neighbour's message.
   *
   * @return the credit to send to the neighbour now; null while it has most of its credit
   */
  @Nullable Credit received(NodeId neighbour, CombiningMessage message) {
    Sums sums = byNeighbour.get(neighbour);
    if (sums == null) {
      return null;
    }
    sums.receivedBytes += message.cost();
    long grantedBytes = sums.mayReceiveBytes == firstBytes ? firstBytes : windowBytes;
    if (sums.mayReceiveBytes - sums.receivedBytes > grantedBytes - grantedBytes / 4) {
      return null;
    }
    sums.mayReceiveBytes = sums.receivedBytes + windowBytes;
    return new Credit(sums.mayReceiveBytes);
  }

  /** Accepts credit; returns whether that makes room where there was none. */
  boolean granted(NodeId neighbour, Credit credit) {
    boolean hadRoom = hasRoom(neighbour);
    Sums sums = byNeighbour.get(neighbour);
    if (sums != null) {
      sums.maySendBytes = Math.max(sums.maySendBytes, credit.bytes());
    }
    return !hadRoom && hasRoom(neighbour);
  }
}
