package io.treecast.collectives.broadcast.message;

/**
 * One of the two ways that content takes between neighbours, each along edges of its own. What is
 * on one has no order to what is on the other, and neither waits for room on the other.
 */
public enum Channel {
  /** All but uploads on the default topic: along the tree of the least round trips. */
  MESSAGES,

  /** Uploads on the default topic: along the widest tree, where there is one. */
  UPLOADS
}
