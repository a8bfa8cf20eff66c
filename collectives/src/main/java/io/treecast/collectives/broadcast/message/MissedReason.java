package io.treecast.collectives.broadcast.message;

import io.treecast.collectives.broadcast.contract.WhenSlow;

/** Why a subscriber does not get messages. */
public enum MissedReason {
  /** This agent never had them: it was away for longer than the logs of the others reach back. */
  AGENT_AWAY,
  /** The log of this agent has let them go before the subscriber took them, or subscribed. */
  NOT_RETAINED,
  /** The subscriber was slow, and asked to skip then: {@link WhenSlow#GAP}. */
  SKIPPED
}
