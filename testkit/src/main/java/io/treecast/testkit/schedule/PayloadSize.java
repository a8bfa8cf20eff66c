package io.treecast.testkit.schedule;

import io.treecast.collectives.broadcast.contract.BroadcastLimits;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Sizes in the syntax of schedules: {@code 24B}, {@code 64KB}, {@code 4MB}; units are multiples of
 * 1,024.
 */
final class PayloadSize {
  private static final Pattern SIZE = Pattern.compile("(\\d{1,10})(B|KB|MB)");
  private static final long KIB = 1 << 10;
  private static final long MIB = 1 << 20;

  static final String ALLOWED =
      "allowed is a number and B, KB or MB, up to "
          + BroadcastLimits.MAX_PAYLOAD_BYTES / MIB
          + "MB, for example 24B";

  private PayloadSize() {}

  /**
   * Returns the bytes of a size.
   *
   * @throws IllegalArgumentException for any other text
   */
  static int bytes(String text) {
    Matcher size = SIZE.matcher(text.toUpperCase(Locale.ROOT));
    if (size.matches()) {
      long unit = size.group(2).equals("MB") ? MIB : size.group(2).equals("KB") ? KIB : 1;
      long bytes = Long.parseLong(size.group(1)) * unit;
      if (bytes <= BroadcastLimits.MAX_PAYLOAD_BYTES) {
        return (int) bytes;
      }
    }
    throw new IllegalArgumentException("'" + text + "' is not a size; " + ALLOWED);
  }

  static String text(int bytes) {
    if (bytes > 0 && bytes % MIB == 0) {
      return bytes / MIB + "MB";
    }
    return bytes > 0 && bytes % KIB == 0 ? bytes / KIB + "KB" : bytes + "B";
  }
}
