package io.treecast.collectives.operation.contract;

import static io.treecast.collectives.operation.contract.ElementType.DOUBLES;
import static io.treecast.collectives.operation.contract.ElementType.FLOATS;
import static io.treecast.collectives.operation.contract.ElementType.INTS;
import static io.treecast.collectives.operation.contract.ElementType.LONGS;

import java.util.Locale;

/**
 * The combination of two vectors of numbers into one, element by element.
 *
 * <p>Sums and products of whole numbers fail the operation on overflow. Those of floats and doubles
 * are the same at all members, but their last digits depend on the order of the operands, which
 * depends on the tree. The minimum and the maximum are NaN if any number is NaN. {@code ARGMIN} and
 * {@code ARGMAX} also name the member of the number: of equal numbers, the member with the lowest
 * place.
 */
public enum Reduction {
  SUM_OF_INTS(Operator.SUM, ElementType.INT),
  PRODUCT_OF_INTS(Operator.PRODUCT, ElementType.INT),
  MIN_OF_INTS(Operator.MIN, ElementType.INT),
  MAX_OF_INTS(Operator.MAX, ElementType.INT),
  AND_OF_INTS(Operator.AND, ElementType.INT),
  OR_OF_INTS(Operator.OR, ElementType.INT),
  XOR_OF_INTS(Operator.XOR, ElementType.INT),
  ARGMIN_OF_INTS(Operator.MIN, ElementType.INT_OF_MEMBER),
  ARGMAX_OF_INTS(Operator.MAX, ElementType.INT_OF_MEMBER),
  SUM_OF_LONGS(Operator.SUM, ElementType.LONG),
  PRODUCT_OF_LONGS(Operator.PRODUCT, ElementType.LONG),
  MIN_OF_LONGS(Operator.MIN, ElementType.LONG),
  MAX_OF_LONGS(Operator.MAX, ElementType.LONG),
  AND_OF_LONGS(Operator.AND, ElementType.LONG),
  OR_OF_LONGS(Operator.OR, ElementType.LONG),
  XOR_OF_LONGS(Operator.XOR, ElementType.LONG),
  ARGMIN_OF_LONGS(Operator.MIN, ElementType.LONG_OF_MEMBER),
  ARGMAX_OF_LONGS(Operator.MAX, ElementType.LONG_OF_MEMBER),
  SUM_OF_FLOATS(Operator.SUM, ElementType.FLOAT),
  PRODUCT_OF_FLOATS(Operator.PRODUCT, ElementType.FLOAT),
  MIN_OF_FLOATS(Operator.MIN, ElementType.FLOAT),
  MAX_OF_FLOATS(Operator.MAX, ElementType.FLOAT),
  ARGMIN_OF_FLOATS(Operator.MIN, ElementType.FLOAT_OF_MEMBER),
  ARGMAX_OF_FLOATS(Operator.MAX, ElementType.FLOAT_OF_MEMBER),
  SUM_OF_DOUBLES(Operator.SUM, ElementType.DOUBLE),
  PRODUCT_OF_DOUBLES(Operator.PRODUCT, ElementType.DOUBLE),
  MIN_OF_DOUBLES(Operator.MIN, ElementType.DOUBLE),
  MAX_OF_DOUBLES(Operator.MAX, ElementType.DOUBLE),
  ARGMIN_OF_DOUBLES(Operator.MIN, ElementType.DOUBLE_OF_MEMBER),
  ARGMAX_OF_DOUBLES(Operator.MAX, ElementType.DOUBLE_OF_MEMBER);

  /** The combination of two numbers. */
  enum Operator {
    SUM,
    PRODUCT,
    MIN,
    MAX,
    AND,
    OR,
    XOR
  }

  private final Operator operator;
  private final ElementType type;

  Reduction(Operator operator, ElementType type) {
    this.operator = operator;
    this.type = type;
  }

  /** Returns the type of the elements that it combines. */
  public ElementType type() {
    return type;
  }

  /** Returns a description for people. */
  String described() {
    String name = (type.hasMember() ? "arg" : "") + operator.name().toLowerCase(Locale.ROOT);
    return name + " of " + type.described();
  }

  /** Returns the noun for the result, as in {@code sum}. */
  public String result() {
    return operator.name().toLowerCase(Locale.ROOT);
  }

  /**
   * Combines two packed vectors of equal length into a new one.
   *
   * @throws ArithmeticException if a sum or product of whole numbers does not fit
   */
  public byte[] of(byte[] one, byte[] other) {
    byte[] combined = one.clone();
    int step = type.elementBytes();
    switch (type) {
      case INT -> {
        for (int at = 0; at < combined.length; at += step) {
          INTS.set(combined, at, of((int) INTS.get(combined, at), (int) INTS.get(other, at)));
        }
      }
      case LONG -> {
        for (int at = 0; at < combined.length; at += step) {
          LONGS.set(combined, at, of((long) LONGS.get(combined, at), (long) LONGS.get(other, at)));
        }
      }
      case FLOAT -> {
        for (int at = 0; at < combined.length; at += step) {
          FLOATS.set(
              combined, at, of((float) FLOATS.get(combined, at), (float) FLOATS.get(other, at)));
        }
      }
      case DOUBLE -> {
        for (int at = 0; at < combined.length; at += step) {
          DOUBLES.set(
              combined,
              at,
              of((double) DOUBLES.get(combined, at), (double) DOUBLES.get(other, at)));
        }
      }
      case INT_OF_MEMBER, LONG_OF_MEMBER, FLOAT_OF_MEMBER, DOUBLE_OF_MEMBER -> {
        for (int at = 0; at < combined.length; at += step) {
          if (isBetter(other, combined, at)) {
            for (int i = at; i < at + step; i++) {
              combined[i] = other[i];
            }
          }
        }
      }
    }
    return combined;
  }

  /** Returns whether the element of one vector replaces that of the other. */
  private boolean isBetter(byte[] one, byte[] other, int at) {
    int order = order(one, other, at);
    if (order == 0) {
      int member = at + type.numberBytes();
      return (int) INTS.get(one, member) < (int) INTS.get(other, member);
    }
    return operator == Operator.MIN ? order < 0 : order > 0;
  }

  private int order(byte[] one, byte[] other, int at) {
    return switch (type) {
      case INT_OF_MEMBER -> Integer.compare((int) INTS.get(one, at), (int) INTS.get(other, at));
      case LONG_OF_MEMBER -> Long.compare((long) LONGS.get(one, at), (long) LONGS.get(other, at));
      case FLOAT_OF_MEMBER -> order((float) FLOATS.get(one, at), (float) FLOATS.get(other, at));
      case DOUBLE_OF_MEMBER ->
          order((double) DOUBLES.get(one, at), (double) DOUBLES.get(other, at));
      default -> throw new IllegalStateException(this + " is not of members");
    };
  }

  /** Compares as {@link Double#compare}, but NaN is the first in the order of the operator. */
  private int order(double one, double other) {
    if (operator == Operator.MIN && Double.isNaN(one) != Double.isNaN(other)) {
      return Double.isNaN(one) ? -1 : 1;
    }
    return Double.compare(one, other);
  }

  public int of(int one, int other) {
    return switch (operator) {
      case SUM -> Math.addExact(one, other);
      case PRODUCT -> Math.multiplyExact(one, other);
      case MIN -> Math.min(one, other);
      case MAX -> Math.max(one, other);
      case AND -> one & other;
      case OR -> one | other;
      case XOR -> one ^ other;
    };
  }

  /**
   * Combines two integers.
   *
   * @throws ArithmeticException if the sum or product does not fit
   */
  public long of(long one, long other) {
    return switch (operator) {
      case SUM -> Math.addExact(one, other);
      case PRODUCT -> Math.multiplyExact(one, other);
      case MIN -> Math.min(one, other);
      case MAX -> Math.max(one, other);
      case AND -> one & other;
      case OR -> one | other;
      case XOR -> one ^ other;
    };
  }

  public float of(float one, float other) {
    return switch (operator) {
      case SUM -> one + other;
      case PRODUCT -> one * other;
      case MIN -> Math.min(one, other);
      case MAX -> Math.max(one, other);
      case AND, OR, XOR -> throw new IllegalStateException(this + " is not of bits");
    };
  }

  public double of(double one, double other) {
    return switch (operator) {
      case SUM -> one + other;
      case PRODUCT -> one * other;
      case MIN -> Math.min(one, other);
      case MAX -> Math.max(one, other);
      case AND, OR, XOR -> throw new IllegalStateException(this + " is not of bits");
    };
  }
}
