package io.treecast.cli.console;

import java.util.Locale;

/** Round-trip times as text for people. */
public final class RttText {
  private RttText() {}

  /**
   * Returns milliseconds such as {@code 331.0}, below a tenth with microseconds, such as {@code
   * 0.042}.
   */
  public static String millis(long rttMicros) {
    return String.format(Locale.ROOT, rttMicros < 100 ? "%.3f" : "%.1f", rttMicros / 1000.0);
  }
}
