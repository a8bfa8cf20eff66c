package io.treecast.client;

/** Who is to confirm that a broadcast was delivered. */
public enum Confirm {
  /** Nobody: a broadcast is done when the agent has accepted it. */
  NONE,
  /** Each member of the tree that the broadcast is published on. */
  ALL
}
