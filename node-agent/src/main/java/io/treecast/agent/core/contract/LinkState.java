package io.treecast.agent.core.contract;

/** The state of the link to a member. */
public enum LinkState {
  /** The member is known, and a link with it is wanted. */
  DIALING,
  /** The link is open; its weight is not agreed yet. */
  MEASURING,
  /** The link is open, and its weight is agreed. */
  UP,
  /** The other end is silent; the connection is kept for a while in case it recovers. */
  SUSPENDED,
  /**
   * The link was ended because control messages pass and data does not. It is dialed again after a
   * growing pause.
   */
  NO_DATA,
  /** The member is known, and no link with it is wanted. */
  UNLINKED
}
