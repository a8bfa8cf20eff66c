package io.treecast.agent.core.link;

import io.treecast.agent.core.message.PeerMessage.Ahead;

/**
 * How much of what goes {@linkplain Ahead ahead} of the tree may be under way on a link's control
 * stream, in each direction, so that probes and the tree's messages never wait long behind it.
 */
public final class AheadWindow {
  /** Bytes under way at most. */
  static final long BYTES = 16 << 10;

  /** The receiver says that it has so much, whenever it does. */
  private static final long BATCH_BYTES = BYTES / 4;

  private long underWayBytes;
  private long untoldBytes;

  /** About what it takes on the way. */
  public static long bytes(Ahead ahead) {
    return ahead.message().cost() - ahead.message().unsentCost();
  }

  /** Counts what is to be sent; false if there is no room for it. */
  public boolean send(Ahead ahead) {
    long bytes = bytes(ahead);
    if (underWayBytes + bytes > BYTES) {
      return false;
    }
    underWayBytes += bytes;
    return true;
  }

  /** The other end has so much; false if it was not sent so much. */
  public boolean heard(long bytes) {
    if (bytes > underWayBytes) {
      return false;
    }
    underWayBytes -= bytes;
    return true;
  }

  /**
   * The other end has sent this; gives how much it is to be told that this end has, 0 for not now.
   */
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
