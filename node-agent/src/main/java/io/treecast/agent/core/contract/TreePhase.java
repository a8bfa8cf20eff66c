package io.treecast.agent.core.contract;

/** The phase of an agent in the tree protocol. */
public enum TreePhase {
  /** It has just started, and links with and measures the other members. */
  STARTING,
  /** Its fragment merges with others; the last committed tree, if there is one, is in use. */
  MERGING,
  /** The committed tree is the present one, as far as this agent knows. */
  COMMITTED
}
