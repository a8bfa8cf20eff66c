package io.treecast.collectives.operation;

/** The combination of two vectors of numbers into one, element by element. */
public enum Reduction {
  /** Sum of 64-bit integers; an overflow fails the operation. */
  SUM_OF_LONGS,
  MIN_OF_LONGS,
  MAX_OF_LONGS,
  /**
   * Sum of doubles. All members get the same sum, but the order of addition depends on the tree,
   * and so do the last digits.
   */
  SUM_OF_DOUBLES,
  /** Minimum of doubles; NaN if any is NaN. */
  MIN_OF_DOUBLES,
  /** Maximum of doubles; NaN if any is NaN. */
  MAX_OF_DOUBLES;

  /** Returns a description for people. */
  String described() {
    return switch (this) {
      case SUM_OF_LONGS -> "sum of whole numbers";
      case MIN_OF_LONGS -> "min of whole numbers";
      case MAX_OF_LONGS -> "max of whole numbers";
      case SUM_OF_DOUBLES -> "sum of doubles";
      case MIN_OF_DOUBLES -> "min of doubles";
      case MAX_OF_DOUBLES -> "max of doubles";
    };
  }

  /** Returns whether it combines 64-bit integers, not doubles. */
  public boolean isOfLongs() {
    return this == SUM_OF_LONGS || this == MIN_OF_LONGS || this == MAX_OF_LONGS;
  }

  /**
   * Combines two integers.
   *
   * @throws ArithmeticException if the sum does not fit
   */
  long of(long one, long other) {
    return switch (this) {
      case SUM_OF_LONGS -> Math.addExact(one, other);
      case MIN_OF_LONGS -> Math.min(one, other);
      case MAX_OF_LONGS -> Math.max(one, other);
      default -> throw new IllegalStateException(this + " is not of longs");
    };
  }

  double of(double one, double other) {
    return switch (this) {
      case SUM_OF_DOUBLES -> one + other;
      case MIN_OF_DOUBLES -> Math.min(one, other);
      case MAX_OF_DOUBLES -> Math.max(one, other);
      default -> throw new IllegalStateException(this + " is not of doubles");
    };
  }
}
