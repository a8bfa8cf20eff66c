package io.treecast.agent.core.path;

import io.treecast.agent.core.message.PeerMessage;
import java.util.ArrayDeque;
import java.util.List;

/**
 * Numbers the messages of a control stream at one end. Keeps the sent messages that the other end
 * has not confirmed, and recognizes received messages that arrive again.
 */
final class MessageCounts {
  /** A receiver confirms at least after this number of messages. */
  static final int CONFIRMED_EVERY = 64;

  /** The maximum number of unconfirmed messages. */
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

  /** Returns the unconfirmed messages, to send again on another connection. */
  List<PeerMessage> unconfirmed() {
    return List.copyOf(kept);
  }

  long firstUnconfirmed() {
    return confirmed + 1;
  }

  /**
   * Drops the messages that the other end has confirmed; returns false if it confirms more than
   * were sent.
   */
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

  /** Returns the number of received messages, which the caller sends to the other end. */
  long reportReceived() {
    toldReceived = received;
    return received;
  }

  boolean isConfirmationDue() {
    return received - toldReceived >= CONFIRMED_EVERY;
  }

  /**
   * Sets the number of the next message to arrive; returns false if messages before it are missing.
   */
  boolean continueFrom(long number) {
    next = number;
    return number >= 1 && number <= received + 1;
  }

  /** Counts a message that arrives; returns false if it has arrived before. */
  boolean arrived() {
    boolean isNew = next == received + 1;
    received = Math.max(received, next);
    next++;
    return isNew;
  }
}
