package io.treecast.client;

/**
 * A reduction of {@linkplain NumberVector vectors} to one, element by element. All members get the
 * same result, bit for bit.
 *
 * <p>Sums and products of whole numbers fail with {@code OVERFLOW} if one does not fit. For floats
 * and doubles their last digits depend on the tree, which determines the order of the operands. The
 * same members on the same tree get the same digits each time.
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
  /** The bitwise and of whole numbers. */
  AND,
  /** The bitwise or of whole numbers. */
  OR,
  /** The bitwise exclusive or of whole numbers. */
  XOR
}
