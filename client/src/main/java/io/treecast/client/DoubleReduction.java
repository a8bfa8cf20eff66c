package io.treecast.client;

/**
 * A reduction of vectors of doubles to one, element by element. All members receive the same
 * result.
 */
public enum DoubleReduction {
  /** The sum. Its last digits depend on the tree, which determines the order of the additions. */
  SUM,
  /** The minimum; NaN if one element is NaN. */
  MIN,
  /** The maximum; NaN if one element is NaN. */
  MAX
}
