package io.treecast.mst;

/**
 * The activity of a node, as far as it knows.
 *
 * <pre>
 *   IDLE -> SEARCHING -> REPORTED  -> COMMITTED
 *            ^   ^        |     |       |
 *            |   +--------+     v       |
 *            +------------ CONNECTING   |
 *            +--------------------------+
 * </pre>
 */
public enum NodePhase {
  /** It has not started. */
  IDLE,
  /** It takes part in a search and has not reported. */
  SEARCHING,
  /** It has reported. The root decides or moves, or the loss of an edge is on its way to it. */
  REPORTED,
  /** It is a root whose Connect has no answer yet. */
  CONNECTING,
  /** The fragment has committed its tree, and this node knows of no defect in it. */
  COMMITTED
}
