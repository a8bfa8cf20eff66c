package io.treecast.client;

/** How vectors of doubles become one, element by element. All members get the same result. */
public enum DoubleReduction {
  /** In which order they are added depends on the tree, and so do the last digits of the sum. */
  SUM,
  /** The least of each; NaN if one is. */
  MIN,
  /** The greatest of each; NaN if one is. */
  MAX
}
