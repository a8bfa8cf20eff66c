package io.treecast.agent.core.contract;

/** Where the link to a member stands. */
public enum LinkState {
  /** Known, and to be linked with. */
  DIALING,
  /** Open; its weight is not agreed yet. */
  MEASURING,
  /** Open and measured. */
  UP,
  /** The other end is silent; the connection is kept for a while in case it recovers. */
  SUSPENDED,
  /** Ended, since control passes and data does not. It is tried again after a pause that grows. */
  NO_DATA,
  /** Known, and no link is wanted. */
  UNLINKED
}
