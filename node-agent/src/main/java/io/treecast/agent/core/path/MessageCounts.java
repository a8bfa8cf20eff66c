package io.treecast.agent.core.path;

import io.treecast.agent.core.message.PeerMessage;
import java.util.ArrayDeque;
import java.util.List;

/**
 * The numbers of a control stream's messages at one end: keeps those that were sent and that the
 * other end may lack, and recognizes those that arrive again.
 */
final class MessageCounts {
  /** A receiver confirms at least one in so many messages. */
  static final int CONFIRMED_EVERY = 64;

  /** The most messages that are kept for an end that does not confirm them. */
  static final int MAX_KEPT = 10_000;

  private final ArrayDeque<PeerMessage> kept = new ArrayDeque<>();
  private long confirmed;
  private long received;
  private long next = 1;
  private long toldReceived;

  /** Keeps a message that is sent. */
  void sent(PeerMessage message) {
    kept.add(message);
  }

  boolean areTooMany() {
    return kept.size() > MAX_KEPT;
  }

  /** Returns the messages to send on another connection, the first of which has this number. */
  List<PeerMessage> unconfirmed() {
    return List.copyOf(kept);
  }

  long firstUnconfirmed() {
    return confirmed + 1;
  }

  /** Drops what the other end has; returns whether it can have as many. */
  boolean confirm(long count) {
    if (count < 0 || count > confirmed + kept.size()) {
      return false;
    }
    while (confirmed < count) {
      kept.remove();
      confirmed++;
    }
    return true;
  }

  /** Returns how many have arrived, and notes that the other end is told. */
  long tellReceived() {
    toldReceived = received;
    return received;
  }

  boolean isConfirmationDue() {
    return received - toldReceived >= CONFIRMED_EVERY;
  }

  /** The next message that arrives has this number; returns whether none before it is missing. */
  boolean continueFrom(long number) {
    next = number;
    return number >= 1 && number <= received + 1;
  }

  /** Notes that a message arrives; returns whether it is a new one. */
  boolean arrived() {
    boolean isNew = next == received + 1;
    received = Math.max(received, next);
    next++;
    return isNew;
  }
}
