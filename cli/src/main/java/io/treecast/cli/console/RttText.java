package io.treecast.cli.console;

import java.util.Locale;

/** Round-trip times as people read them. */
public final class RttText {
  private RttText() {}

  /** In milliseconds: {@code 331.0}, or to the microsecond below a tenth: {@code 0.042}. */
  public static String millis(long rttMicros) {
    return String.format(Locale.ROOT, rttMicros < 100 ? "%.3f" : "%.1f", rttMicros / 1000.0);
  }
}
