package io.treecast.agent.core.link;

import io.treecast.agent.core.message.PeerMessage.Ahead;

/**
 * The window of messages that go {@linkplain Ahead ahead} of the tree on a link's control stream,
 * in each direction, so that probes and the tree's messages never wait long behind them.
 */
public final class AheadWindow {
  /** The most bytes under way. */
  static final long BYTES = 16 << 10;

  /** The receiver acknowledges this many bytes at a time. */
  private static final long BATCH_BYTES = BYTES / 4;

  private long underWayBytes;
  private long untoldBytes;

  /** Returns about the bytes that it takes on the wire. */
  public static long bytes(Ahead ahead) {
    return ahead.message().cost() - ahead.message().unsentCost();
  }

  /** Counts a message to be sent; returns false if there is no room for it. */
  public boolean send(Ahead ahead) {
    long bytes = bytes(ahead);
    if (underWayBytes + bytes > BYTES) {
      return false;
    }
    underWayBytes += bytes;
    return true;
  }

  /** Handles an acknowledgement; returns false if it exceeds the bytes sent. */
  public boolean heard(long bytes) {
    if (bytes > underWayBytes) {
      return false;
    }
    underWayBytes -= bytes;
    return true;
  }

  /** Counts a received message; returns the bytes to acknowledge now, or 0. */
  public long received(Ahead ahead) {
    untoldBytes += bytes(ahead);
    if (untoldBytes < BATCH_BYTES) {
      return 0;
    }
    long told = untoldBytes;
    untoldBytes = 0;
    return told;
  }
}
