package io.treecast.agent.core.link;

import io.treecast.agent.core.message.PeerMessage.ShortcutCopy;

/**
 * Limits the messages sent {@linkplain ShortcutCopy ahead} of the tree on a link's control stream,
 * in each direction, so that probes and messages of the tree never wait long behind them.
 */
public final class ShortcutWindow {
  /** The maximum number of unacknowledged bytes. */
  static final long BYTES = 16 << 10;

  /** The receiver acknowledges this many bytes at a time. */
  private static final long BATCH_BYTES = BYTES / 4;

  private long inFlightBytes;
  private long unacknowledgedBytes;

  /** Returns the approximate size of a message on the wire, in bytes. */
  public static long bytes(ShortcutCopy shortcut) {
    return shortcut.message().cost() - shortcut.message().unsentCost();
  }

  /** Counts a message to send; returns false if it exceeds the window. */
  public boolean send(ShortcutCopy shortcut) {
    long bytes = bytes(shortcut);
    if (inFlightBytes + bytes > BYTES) {
      return false;
    }
    inFlightBytes += bytes;
    return true;
  }

  /** Handles an acknowledgement; returns false if it exceeds the bytes sent. */
  public boolean acknowledged(long bytes) {
    if (bytes > inFlightBytes) {
      return false;
    }
    inFlightBytes -= bytes;
    return true;
  }

  /** Counts a received message; returns the bytes to acknowledge now, or 0. */
  public long received(ShortcutCopy shortcut) {
    unacknowledgedBytes += bytes(shortcut);
    if (unacknowledgedBytes < BATCH_BYTES) {
      return 0;
    }
    long acknowledged = unacknowledgedBytes;
    unacknowledgedBytes = 0;
    return acknowledged;
  }
}
