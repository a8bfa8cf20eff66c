package io.treecast.mst;

/** Where a node stands on its way to a tree. The phases follow each other in this order. */
public enum TreePhase {
  /** Not all expected links are measured. */
  WAITING,
  /** Awake: fragments merge. */
  MERGING,
  /** A tree is committed and all its links live. */
  COMMITTED,
  /** A link was lost after the node woke; a fixed membership has no way back. */
  BROKEN
}
