package io.treecast.client;

/** Why messages will not come. */
public enum MissedReason {
  /** The agent was away from the others for longer than their logs reach back. */
  AGENT_AWAY,
  /**
   * The agent's log let them go before the subscriber took them, or before it subscribed after
   * positions that old.
   */
  NOT_RETAINED,
  /** The subscriber was slow, and had asked for {@link WhenSlow#GAP}. */
  SKIPPED,
  /**
   * It is larger than {@link TreecastBuilder#maxMessageBytes}, and the handler has no {@link
   * MessageHandler#onLargeMessage}.
   */
  TOO_LARGE,
  /**
   * There was no room for it within {@link TreecastBuilder#maxAssemblyBytes} beside other messages
   * that arrived at the same time, and the handler has no {@link MessageHandler#onLargeMessage}.
   */
  NO_ROOM,
  /** An agent of a later version has another reason. */
  UNKNOWN
}
