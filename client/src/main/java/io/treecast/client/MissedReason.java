package io.treecast.client;

/** The reason why messages will not come. */
public enum MissedReason {
  /** The agent was away from the other members for longer than their logs reach back. */
  AGENT_AWAY,
  /**
   * The agent's log dropped them before the subscriber took them, or before it subscribed after
   * positions that old.
   */
  NOT_RETAINED,
  /** The subscriber was slow, and had asked for {@link WhenSlow#GAP}. */
  SKIPPED,
  /**
   * The message is larger than {@link TreecastBuilder#maxMessageBytes}, and the handler has no
   * {@link MessageHandler#onLargeMessage}.
   */
  TOO_LARGE,
  /**
   * There was no room for the message within {@link TreecastBuilder#maxAssemblyBytes} beside others
   * that arrived at the same time, and the handler has no {@link MessageHandler#onLargeMessage}.
   */
  NO_ROOM,
  /** A reason of a later version's agent, unknown to this client. */
  UNKNOWN
}
