package io.treecast.cli.console;

import java.time.Instant;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeFormatterBuilder;
import java.util.Locale;

/** When a line was printed, as the log writes it, so that both can be laid side by side. */
public final class Timestamp {
  private static final DateTimeFormatter AS_IN_THE_LOG =
      new DateTimeFormatterBuilder()
          .appendPattern("uuuu-MM-dd'T'HH:mm:ss.SSS")
          .appendOffsetId()
          .toFormatter(Locale.ROOT);

  private Timestamp() {}

  /** Returns the present, to the millisecond, in the time zone of this machine. */
  public static String now() {
    return of(Instant.now());
  }

  /** Another time, in the same way. */
  public static String of(Instant time) {
    return AS_IN_THE_LOG.format(time.atZone(ZoneId.systemDefault()));
  }
}
