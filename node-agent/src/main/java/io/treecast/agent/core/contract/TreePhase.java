package io.treecast.agent.core.contract;

/** The phase of an agent in the tree protocol. */
public enum TreePhase {
  /** The agent has just started. It links with the other members, and measures the links. */
  STARTING,
  /** The agent's fragment merges with others. The last committed tree, if any, stays in use. */
  MERGING,
  /** The committed tree is up to date, as far as this agent knows. */
  COMMITTED
}
