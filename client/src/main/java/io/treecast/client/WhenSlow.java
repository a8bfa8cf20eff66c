package io.treecast.client;

/** The agent's policy for a subscriber that does not consume its messages fast enough. */
public enum WhenSlow {
  /** The subscriber finally slows all publishers, and loses no messages. */
  SLOW_PUBLISHER,
  /**
   * Publishers do not wait: the subscriber continues from the agent's log, and misses the messages
   * that the log drops before it has read them.
   */
  CATCH_UP,
  /** Publishers do not wait: a subscriber that is too far behind skips to new messages. */
  GAP
}
