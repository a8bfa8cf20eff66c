package io.treecast.collectives.operation;

/** How two vectors of numbers become one, element by element. */
public enum Reduction {
  /** Of 64-bit integers; one that does not fit fails the operation. */
  SUM_OF_LONGS,
  MIN_OF_LONGS,
  MAX_OF_LONGS,
  /**
   * Of doubles. All get the same sum, but in which order they are added depends on the tree, and so
   * do its last digits.
   */
  SUM_OF_DOUBLES,
  /** NaN if one is. */
  MIN_OF_DOUBLES,
  /** NaN if one is. */
  MAX_OF_DOUBLES;

  /** For a person. */
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

  /** Whether it is of 64-bit integers, not of doubles. */
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
