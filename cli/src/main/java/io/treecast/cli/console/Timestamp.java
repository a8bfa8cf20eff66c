package io.treecast.cli.console;

import java.time.Instant;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeFormatterBuilder;
import java.util.Locale;

/** Timestamps of printed lines, in the format of the log. */
public final class Timestamp {
  private static final DateTimeFormatter AS_IN_THE_LOG =
      new DateTimeFormatterBuilder()
          .appendPattern("uuuu-MM-dd'T'HH:mm:ss.SSS")
          .appendOffsetId()
          .toFormatter(Locale.ROOT);

  private Timestamp() {}

  /** Returns the present time to the millisecond, in the time zone of this machine. */
  public static String now() {
    return of(Instant.now());
  }

  /** Returns a time in the same format. */
  public static String of(Instant time) {
    return AS_IN_THE_LOG.format(time.atZone(ZoneId.systemDefault()));
  }
}
