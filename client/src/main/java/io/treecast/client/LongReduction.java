package io.treecast.client;

/** A reduction of vectors of 64-bit integers to one, element by element. */
public enum LongReduction {
  /** The sum. Fails with {@code OVERFLOW} if a sum does not fit in 64 bits. */
  SUM,
  /** The minimum. */
  MIN,
  /** The maximum. */
  MAX
}
