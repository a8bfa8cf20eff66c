package io.treecast.client;

/**
 * A reduction of {@linkplain NumberVector vectors} to one, element by element. All members receive
 * the same result, equal in each bit.
 *
 * <p>Sums and products of whole numbers fail with {@code OVERFLOW} if one does not fit. The last
 * digits of those of floats and doubles depend on the tree, which determines the order of the
 * operands; the same members on the same tree receive the same digits each time.
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
   * itself, so this can be combined with {@link #SUM} at other members, which receive the sum.
   */
  MEAN,
  /** The bitwise and of whole numbers. */
  AND,
  /** The bitwise or of whole numbers. */
  OR,
  /** The bitwise exclusive or of whole numbers. */
  XOR
}
