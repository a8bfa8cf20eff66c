package io.treecast.collectives.operation;

import io.treecast.collectives.operation.CombiningMessage.Credit;
import io.treecast.ghs.NodeId;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * How much may be said on the open stream to each neighbour, and how much the neighbour may say: so
 * that no more waits for a slow edge. {@link Combining}'s thread.
 *
 * <p>Who has credit left may say one more message, of whatever size. Each end of a new stream has a
 * window's worth, and more when the other one has dealt with some of that.
 */
final class Credits {
  /** What may be under way on a stream, in {@linkplain CombiningMessage#cost costs}. */
  static final long WINDOW_BYTES = 1 << 20;

  /** Sums from the begin of a stream. */
  private static final class Sums {
    long saidBytes;
    long mayBeSaidBytes;
    long heardBytes;
    long mayBeHeardBytes;
  }

  private final long windowBytes;
  private final Map<NodeId, Sums> byNeighbour = new HashMap<>();

  /**
   * No stream is open.
   *
   * @param windowBytes alike at both ends
   */
  Credits(long windowBytes) {
    this.windowBytes = windowBytes;
  }

  /** There is a new stream, if there was none. */
  void opened(NodeId neighbour) {
    Sums sums = new Sums();
    sums.mayBeSaidBytes = windowBytes;
    sums.mayBeHeardBytes = windowBytes;
    byNeighbour.putIfAbsent(neighbour, sums);
  }

  /** The stream is no more; false if there was none. */
  boolean closed(NodeId neighbour) {
    return byNeighbour.remove(neighbour) != null;
  }

  boolean isOpen(NodeId neighbour) {
    return byNeighbour.containsKey(neighbour);
  }

  /** Whether something may be said to this neighbour now. */
  boolean hasRoom(NodeId neighbour) {
    Sums sums = byNeighbour.get(neighbour);
    return sums != null && sums.saidBytes < sums.mayBeSaidBytes;
  }

  void said(NodeId neighbour, CombiningMessage message) {
    Sums sums = byNeighbour.get(neighbour);
    if (sums != null) {
      sums.saidBytes += message.cost();
    }
  }

  /**
   * This member has dealt with what a neighbour said.
   *
   * @return what to tell the neighbour now; null if it has most of its credit yet
   */
  @Nullable Credit heard(NodeId neighbour, CombiningMessage message) {
    Sums sums = byNeighbour.get(neighbour);
    if (sums == null) {
      return null;
    }
    sums.heardBytes += message.cost();
    if (sums.mayBeHeardBytes - sums.heardBytes > windowBytes - windowBytes / 4) {
      return null;
    }
    sums.mayBeHeardBytes = sums.heardBytes + windowBytes;
    return new Credit(sums.mayBeHeardBytes);
  }

  /** The neighbour gives credit; whether that makes room where there was none. */
  boolean given(NodeId neighbour, Credit credit) {
    boolean hadRoom = hasRoom(neighbour);
    Sums sums = byNeighbour.get(neighbour);
    if (sums != null) {
      sums.mayBeSaidBytes = Math.max(sums.mayBeSaidBytes, credit.bytes());
    }
    return !hadRoom && hasRoom(neighbour);
  }
}
