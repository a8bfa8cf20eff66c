package io.treecast.client;

/** The members that must confirm the delivery of a broadcast. */
public enum Confirm {
  /** No member: a broadcast completes when the agent has accepted it. */
  NONE,
  /** Each member of the tree on which the broadcast is published. */
  ALL
}
