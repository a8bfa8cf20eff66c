package io.treecast.cli.collective;

import io.treecast.cli.console.CommandFailure;
import java.util.List;
import java.util.regex.Pattern;

/** The elements of a vector on a command line. Immutable. */
final class Numbers {
  private static final Pattern WHOLE = Pattern.compile("[+-]?\\d+");
  private static final Pattern DECIMAL =
      Pattern.compile("[+-]?(\\d+(\\.\\d*)?|\\.\\d+)([eE][+-]?\\d+)?");

  private final String option;
  private final List<String> given;

  private Numbers(String option, List<String> given) {
    this.option = option;
    this.given = List.copyOf(given);
  }

  /**
   * Parses the numbers of an option.
   *
   * @throws CommandFailure if one is not a number
   */
  static Numbers of(String option, List<String> given) {
    for (String number : given) {
      if (!DECIMAL.matcher(number).matches()) {
        throw CommandFailure.usage(
            option
                + ": '"
                + number
                + "' is not allowed; allowed are numbers with spaces between them, as in -5 0.25 1e-3");
      }
    }
    return new Numbers(option, given);
  }

  /** Returns whether no number has a decimal point or an exponent. */
  boolean areLongs() {
    return given.stream().allMatch(number -> WHOLE.matcher(number).matches());
  }

  long[] longs() {
    return given.stream().mapToLong(this::whole).toArray();
  }

  private long whole(String number) {
    try {
      return Long.parseLong(number);
    } catch (NumberFormatException e) {
      throw CommandFailure.usage(
          "%s: '%s' does not fit in 64 bits; use a decimal point to make all elements doubles"
              .formatted(option, number));
    }
  }

  double[] doubles() {
    return given.stream().mapToDouble(this::decimal).toArray();
  }

  private double decimal(String number) {
    double value = Double.parseDouble(number);
    if (Double.isInfinite(value)) {
      throw CommandFailure.usage(option + ": '" + number + "' does not fit in a double");
    }
    return value;
  }
}
