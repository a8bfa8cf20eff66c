package io.treecast.collectives.broadcast.message;

import io.treecast.collectives.broadcast.contract.WhenSlow;

/** The reason why a subscriber does not get messages. */
public enum MissedReason {
  /**
   * This agent never had the messages: it was away for longer than the logs of others reach back.
   */
  AGENT_AWAY,
  /**
   * The log of this agent evicted the messages before the subscriber took them, or before it
   * subscribed.
   */
  NOT_RETAINED,
  /** The subscriber was slow and had chosen to skip messages then: {@link WhenSlow#GAP}. */
  SKIPPED
}
