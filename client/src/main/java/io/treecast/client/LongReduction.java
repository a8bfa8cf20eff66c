package io.treecast.client;

/** How vectors of 64-bit integers become one, element by element. */
public enum LongReduction {
  /** Fails with {@code OVERFLOW} if a sum does not fit in 64 bits. */
  SUM,
  /** The least of each. */
  MIN,
  /** The greatest of each. */
  MAX
}
