package io.treecast.testkit.network;

import java.util.Locale;
import java.util.regex.Pattern;

/** The unit of round-trip times in a text, with the parser of such texts. */
public enum RttUnit {
  SECONDS("seconds", 1_000_000),
  MILLISECONDS("milliseconds", 1_000);

  private static final Pattern NUMBER =
      Pattern.compile("[+-]?(\\d+\\.?\\d*|\\.\\d+)([eE][+-]?\\d+)?");

  private final String plural;
  private final long micros;

  RttUnit(String plural, long micros) {
    this.plural = plural;
    this.micros = micros;
  }

  /**
   * Returns the round trip in a text, in whole microseconds; 0 for {@code 0}, {@code -}, {@code
   * nan}, {@code inf} or nothing. Values between zero and one microsecond count as one.
   *
   * @throws IllegalArgumentException if the text is not a round trip
   */
  long micros(String text) {
    switch (text.toLowerCase(Locale.ROOT)) {
      case "", "-", "nan", "inf" -> {
        return 0;
      }
      default -> {}
    }
    if (!NUMBER.matcher(text).matches()) {
      throw notAllowed(text, "not a number");
    }
    double value = Double.parseDouble(text);
    if (value < 0) {
      throw notAllowed(text, "negative");
    }
    if (value * micros > Topology.MAX_RTT_MICROS) {
      throw notAllowed(text, "more than an hour");
    }
    return value == 0 ? 0 : Math.max(1, Math.round(value * micros));
  }

  private IllegalArgumentException notAllowed(String text, String why) {
    return new IllegalArgumentException(
        "'%s' is %s; allowed are %s from 0 to %s, and 0, -, nan, inf or nothing for no link"
            .formatted(text, why, plural, Topology.MAX_RTT_MICROS / micros));
  }
}
