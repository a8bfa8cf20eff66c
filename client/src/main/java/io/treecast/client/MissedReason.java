package io.treecast.client;

/** The reason why messages are not delivered. */
public enum MissedReason {
  /** The agent was disconnected from the other members for longer than their logs reach back. */
  AGENT_AWAY,
  /**
   * The agent's log dropped them before the subscriber consumed them, or before it subscribed after
   * such old positions.
   */
  NOT_RETAINED,
  /** The subscriber was slow, and its policy is {@link WhenSlow#GAP}. */
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
  /** A reason of an agent of a later version, unknown to this client. */
  UNKNOWN
}
