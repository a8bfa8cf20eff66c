package io.treecast.collectives.broadcast.edge;

/**
 * The window for a neighbour's uploads that does not limit the rate of the link: twice the bytes
 * that arrive in a round trip. While the window is the limit, it doubles with each round trip,
 * until the link is the limit.
 *
 * <p>One half of it is in flight. The other half covers items that the neighbour has ready to send,
 * and items that wait here until their credit is granted again.
 */
final class NeededWindow {
  /**
   * The least time over which a rate is measured, because chunks that arrive together show no rate.
   */
  static final long MEASURED_NANOS = 100_000_000L;

  private static final int ROUND_TRIPS = 2;

  private long bytes;
  private long roundTripNanos;
  private boolean measuring;
  private long begunNanos;
  private long takenBytes;

  /** Returns the window that the measurements require; 0 without measurements. */
  long bytes() {
    return bytes;
  }

  void roundTrip(long nanos) {
    roundTripNanos = nanos;
  }

  /** Notes that bytes have arrived; returns whether a larger window is needed than before. */
  boolean took(long itemBytes, long nowNanos) {
    if (!measuring) {
      measuring = true;
      begunNanos = nowNanos;
      takenBytes = 0;
      return false; // These bytes arrived before the measured time.
    }
    takenBytes += itemBytes;
    long nanos = nowNanos - begunNanos;
    if (nanos < Math.max(MEASURED_NANOS, roundTripNanos)) {
      return false;
    }
    measuring = false;
    long needed = Math.round((double) takenBytes / nanos * roundTripNanos * ROUND_TRIPS);
    boolean isMore = needed > bytes;
    bytes = Math.max(bytes, needed);
    return isMore;
  }

  /** Forgets all measurements except the round trip. */
  void forget() {
    bytes = 0;
    measuring = false;
  }
}
