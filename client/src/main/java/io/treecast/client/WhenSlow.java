package io.treecast.client;

/** What the agent does when a subscriber does not take what there is for it. */
public enum WhenSlow {
  /** It slows, in the end, all publishers; the subscriber loses nothing. */
  SLOW_PUBLISHER,
  /**
   * Nobody waits for the subscriber: it reads on from the agent's log, and misses what that lets go
   * before.
   */
  CATCH_UP,
  /** Nobody waits for the subscriber: when it is too far behind, it skips to what is new. */
  GAP
}
