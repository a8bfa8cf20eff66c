package io.treecast.collectives.operation.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Random;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Each reduction of random vectors, compared with its definition by boxed arithmetic. */
class ReductionTest {
  private static final int ELEMENTS = 97;
  private static final int ROUNDS = 50;

  private final Random random = new Random(7);

  /** A number of the type; often a special one. */
  private Number number(ElementType type) {
    boolean isSpecial = random.nextInt(6) == 0;
    return switch (type) {
      case INT, INT_OF_MEMBER -> isSpecial ? 0 : random.nextInt(40_000) - 20_000;
      case LONG, LONG_OF_MEMBER -> isSpecial ? -1L : (long) random.nextInt();
      case FLOAT, FLOAT_OF_MEMBER ->
          isSpecial ? special()[random.nextInt(5)].floatValue() : (float) random.nextGaussian();
      case DOUBLE, DOUBLE_OF_MEMBER ->
          isSpecial ? special()[random.nextInt(5)] : (Number) random.nextGaussian();
    };
  }

  private static Double[] special() {
    return new Double[] {Double.NaN, 0.0, -0.0, Double.POSITIVE_INFINITY, Double.NEGATIVE_INFINITY};
  }

  private static void put(ByteBuffer into, ElementType type, Number number) {
    switch (type) {
      case INT, INT_OF_MEMBER -> into.putInt(number.intValue());
      case LONG, LONG_OF_MEMBER -> into.putLong(number.longValue());
      case FLOAT, FLOAT_OF_MEMBER -> into.putFloat(number.floatValue());
      case DOUBLE, DOUBLE_OF_MEMBER -> into.putDouble(number.doubleValue());
    }
  }

  private static Number combined(Reduction reduction, Number one, Number other) {
    String operator = reduction.name().substring(0, reduction.name().indexOf('_'));
    if (one instanceof Float || one instanceof Double) {
      boolean isFloat = one instanceof Float;
      double a = one.doubleValue();
      double b = other.doubleValue();
      return switch (operator) {
        case "SUM" -> isFloat ? (Number) ((float) a + (float) b) : (Number) (a + b);
        case "PRODUCT" -> isFloat ? (Number) ((float) a * (float) b) : (Number) (a * b);
        case "MIN" -> Math.min(a, b);
        default -> Math.max(a, b);
      };
    }
    BigInteger a = BigInteger.valueOf(one.longValue());
    BigInteger b = BigInteger.valueOf(other.longValue());
    BigInteger result =
        switch (operator) {
          case "SUM" -> a.add(b);
          case "PRODUCT" -> a.multiply(b);
          case "MIN" -> a.min(b);
          case "MAX" -> a.max(b);
          case "AND" -> a.and(b);
          case "OR" -> a.or(b);
          default -> a.xor(b);
        };
    return result.longValueExact();
  }

  /** Whether an element of another member replaces that of the first. */
  private static boolean isBetter(Reduction reduction, Number other, Number one) {
    double a = other.doubleValue();
    double b = one.doubleValue();
    if (Double.isNaN(a) || Double.isNaN(b)) {
      return !Double.isNaN(b);
    }
    int order = Double.compare(a, b);
    return reduction.name().startsWith("ARGMIN") ? order < 0 : order > 0;
  }

  private static byte[] bytes(ByteBuffer vector) {
    byte[] bytes = new byte[vector.capacity()];
    vector.get(0, bytes);
    return bytes;
  }

  @ParameterizedTest
  @EnumSource
  void each_element_is_combined_as_defined(Reduction reduction) {
    ElementType type = reduction.type();
    for (int round = 0; round < ROUNDS; round++) {
      ByteBuffer one = vector(type);
      ByteBuffer other = vector(type);
      ByteBuffer expected = vector(type);
      for (int i = 0; i < ELEMENTS; i++) {
        Number a = number(type);
        Number b = random.nextInt(5) == 0 ? a : number(type);
        put(one, type, a);
        put(other, type, b);
        if (type.hasMember()) {
          one.putInt(3);
          other.putInt(8);
          boolean isBetter = isBetter(reduction, b, a);
          put(expected, type, isBetter ? b : a);
          expected.putInt(isBetter ? 8 : 3);
        } else {
          put(expected, type, combined(reduction, a, b));
        }
      }
      byte[] first = bytes(one);
      byte[] unchanged = first.clone();
      assertThat(reduction.of(first, bytes(other))).isEqualTo(bytes(expected));
      assertThat(first).isEqualTo(unchanged);
      if (type.hasMember()) { // In whichever order they arrive.
        assertThat(reduction.of(bytes(other), first)).isEqualTo(bytes(expected));
      }
    }
  }

  private static ByteBuffer vector(ElementType type) {
    return ByteBuffer.allocate(ELEMENTS * type.elementBytes()).order(ByteOrder.LITTLE_ENDIAN);
  }

  @ParameterizedTest
  @EnumSource(names = {"SUM_OF_INTS", "PRODUCT_OF_INTS", "SUM_OF_LONGS", "PRODUCT_OF_LONGS"})
  void whole_numbers_that_do_not_fit_are_an_error(Reduction reduction) {
    ByteBuffer most = ByteBuffer.allocate(8).order(ByteOrder.LITTLE_ENDIAN);
    if (reduction.type() == ElementType.INT) {
      most.putInt(Integer.MAX_VALUE).putInt(1);
    } else {
      most.putLong(Long.MAX_VALUE);
    }
    assertThatExceptionOfType(ArithmeticException.class)
        .isThrownBy(() -> reduction.of(most.array(), most.array()));
  }
}
