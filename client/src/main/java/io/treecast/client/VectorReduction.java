package io.treecast.client;

/**
 * A reduction of {@linkplain NumberVector vectors} to one, element by element. All members get the
 * same result, bit for bit.
 *
 * <p>Sums and products of whole numbers fail with {@code OVERFLOW} if one does not fit. The last
 * digits of those of floats and doubles depend on the tree, which determines the order of the
 * operands; for the same members on the same tree they are the same each time.
 */
public enum VectorReduction {
  SUM,
  PRODUCT,
  /** The minimum; NaN if one element is NaN. */
  MIN,
  /** The maximum; NaN if one element is NaN. */
  MAX,
  /**
   * The sum of floats or doubles, divided by the number of contributors. Each member divides for
   * itself, so it agrees with {@link #SUM} at other members: these get the sum.
   */
  MEAN,
  /** The bits that all whole numbers have. */
  AND,
  /** The bits that any whole number has. */
  OR,
  /** The bits that an odd number of whole numbers have. */
  XOR
}
