package io.treecast.collectives.broadcast.contract;

/** The treatment of a subscriber that does not keep up. */
public enum WhenSlow {
  /**
   * Its messages are held until it takes them. That slows all publishers, hop by hop; nothing is
   * lost.
   */
  SLOW_PUBLISHER,
  /**
   * Publishers do not wait for it: it reads on from the log, and misses messages that are evicted
   * before its turn.
   */
  CATCH_UP,
  /**
   * Publishers do not wait for it: at the beginning of a message, when more than {@code
   * limits.subscriberWindowBytes} wait in the log, it skips them and continues with the next
   * message.
   */
  GAP
}
