package io.treecast.agent.core.contract;

/** Where an agent stands with the tree. */
public enum TreePhase {
  /** It has just started, and meets and measures the others. */
  STARTING,
  /** Its fragment merges with others; the last committed tree, if there is one, is in use. */
  MERGING,
  /** The committed tree is the present one, as far as this agent knows. */
  COMMITTED
}
