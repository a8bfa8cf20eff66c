package io.treecast.collectives.broadcast.contract;

/** What is done when a subscriber does not take what there is for it. */
public enum WhenSlow {
  /**
   * What it lacks is held until it takes it. That slows, hop by hop, all publishers; nothing is
   * lost.
   */
  SLOW_PUBLISHER,
  /**
   * Nobody waits for it: it reads on from the log, and misses what that lets go before its turn.
   */
  CATCH_UP,
  /**
   * Nobody waits for it: at the begin of a message, when more than {@code
   * limits.subscriberWindowBytes} wait in the log, it skips them and goes on with what comes next.
   */
  GAP
}
