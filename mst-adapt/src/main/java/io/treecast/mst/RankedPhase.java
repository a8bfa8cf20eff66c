package io.treecast.mst;

/**
 * What a node is doing, as far as it knows.
 *
 * <pre>
 *   IDLE -> SEARCHING -> REPORTED  -> COMMITTED
 *            ^   ^        |     |       |
 *            |   +--------+     v       |
 *            +------------ CONNECTING   |
 *            +--------------------------+
 * </pre>
 */
public enum RankedPhase {
  /** It has not started. */
  IDLE,
  /** It takes part in a search and has not reported. */
  SEARCHING,
  /** It has reported; the root decides, or moves, or has something lost to hear of. */
  REPORTED,
  /** It is a root that has asked another fragment to join, and has no answer. */
  CONNECTING,
  /** The fragment has committed its tree, and this node knows of nothing wrong with it. */
  COMMITTED
}
