package io.treecast.client;

/** The agent's policy for a subscriber that does not take its messages fast enough. */
public enum WhenSlow {
  /** The subscriber slows, in the end, all publishers, and loses nothing. */
  SLOW_PUBLISHER,
  /**
   * Publishers do not wait: the subscriber reads on from the agent's log, and misses the messages
   * that the log drops before it has read them.
   */
  CATCH_UP,
  /** Publishers do not wait: a subscriber that is too far behind skips to new messages. */
  GAP
}
