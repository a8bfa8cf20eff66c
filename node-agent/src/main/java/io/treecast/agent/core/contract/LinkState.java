package io.treecast.agent.core.contract;

/** The state of the link to a member. */
public enum LinkState {
  /** Known, and to be linked with. */
  DIALING,
  /** Open; its weight is not agreed yet. */
  MEASURING,
  /** Open and measured. */
  UP,
  /** The other end is silent; the connection is kept for a while in case it recovers. */
  SUSPENDED,
  /** Ended because control passes and data does not. Dialed again after a growing pause. */
  NO_DATA,
  /** Known, and no link is wanted. */
  UNLINKED
}
