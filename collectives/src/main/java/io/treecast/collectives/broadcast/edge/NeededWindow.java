package io.treecast.collectives.broadcast.edge;

/**
 * How large the window of a neighbour's uploads has to be, so that it does not bound what the link
 * carries: twice what comes in a round trip. If the window is the bound, that is twice the window;
 * so it grows until the link is, by the end of each round trip.
 *
 * <p>One half of it is under way. The other one covers what the neighbour has ready to send, and
 * what waits here until credit for it is granted again.
 */
final class NeededWindow {
  /** A rate is measured over a round trip at least: chunks that come at once tell no rate. */
  static final long MEASURED_NANOS = 100_000_000L;

  private static final int ROUND_TRIPS = 2;

  private long bytes;
  private long roundTripNanos;
  private boolean measuring;
  private long begunNanos;
  private long takenBytes;

  /** Returns the window that the measurements call for; 0 without any. */
  long bytes() {
    return bytes;
  }

  void roundTrip(long nanos) {
    roundTripNanos = nanos;
  }

  /** So much has come; gives whether a larger window is needed than before. */
  boolean took(long itemBytes, long nowNanos) {
    if (!measuring) {
      measuring = true;
      begunNanos = nowNanos;
      takenBytes = 0;
      return false; // It came before the time that counts.
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

  /** Nothing is known any more but the round trip. */
  void forget() {
    bytes = 0;
    measuring = false;
  }
}
