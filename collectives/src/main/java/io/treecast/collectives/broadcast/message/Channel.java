package io.treecast.collectives.broadcast.message;

/**
 * One of the two paths by which content travels between neighbours, each along active edges of its
 * own. The channels are not ordered relative to each other, and neither waits for room on the
 * other.
 */
public enum Channel {
  /** All content but uploads on the default topic; follows the tree of least round trips. */
  MESSAGES,

  /** Uploads on the default topic; follows the widest tree, if there is one. */
  UPLOADS
}
