package io.treecast.testkit.schedule;

import java.math.BigDecimal;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Times in the syntax of schedules: {@code 1500ms}, {@code 10s}, {@code 2.5s}, {@code 2m}. */
public final class ScheduleTime {
  private static final Pattern TIME = Pattern.compile("(\\d{1,9}(?:\\.\\d{1,6})?)(ms|s|m|h)");
  private static final Map<String, Long> UNIT_MILLIS =
      Map.of("ms", 1L, "s", 1_000L, "m", 60_000L, "h", 3_600_000L);

  /** The latest time, a week. */
  static final long MAX_MILLIS = 7 * 24 * 3_600_000L;

  static final String ALLOWED =
      "allowed is a number and ms, s, m or h, up to 168h, for example 10s";

  private ScheduleTime() {}

  /**
   * Returns the milliseconds of a time, truncated.
   *
   * @throws IllegalArgumentException for any other text
   */
  public static long millis(String text) {
    Matcher time = TIME.matcher(text);
    if (time.matches()) {
      long unit = UNIT_MILLIS.getOrDefault(time.group(2), 1L);
      long millis = new BigDecimal(time.group(1)).multiply(BigDecimal.valueOf(unit)).longValue();
      if (millis <= MAX_MILLIS) {
        return millis;
      }
    }
    throw new IllegalArgumentException("'" + text + "' is not a time; " + ALLOWED);
  }

  /** Returns the shortest exact text, in seconds or milliseconds. */
  public static String text(long millis) {
    return millis % 1_000 == 0 ? millis / 1_000 + "s" : millis + "ms";
  }
}
