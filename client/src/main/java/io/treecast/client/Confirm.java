package io.treecast.client;

/** The members that are to confirm that a broadcast was delivered. */
public enum Confirm {
  /** No member: a broadcast is done when the agent has accepted it. */
  NONE,
  /** Each member of the tree that the broadcast is published on. */
  ALL
}
