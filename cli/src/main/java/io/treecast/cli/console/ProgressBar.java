package io.treecast.cli.console;

import io.treecast.cli.output.Terminal;
import java.io.PrintWriter;
import java.util.Arrays;
import java.util.Locale;

/**
 * Counts bytes, and at a terminal shows them on one line of standard error, ten times a second. The
 * end clears the line. Used by one thread at a time.
 */
public final class ProgressBar implements AutoCloseable {
  private static final int WIDTH = 30;
  private static final long INTERVAL_NANOS = 100_000_000;
  private static final double MIB = 1 << 20;

  private final PrintWriter out;
  private final boolean shown;
  private final int columns;
  private final String doing;
  private final long size;
  private final long startNanos = System.nanoTime();
  private long bytes;
  private long shownNanos = startNanos;
  private int shownLength;

  private ProgressBar(PrintWriter out, boolean shown, int columns, String doing, long size) {
    this.out = out;
    this.shown = shown;
    this.columns = columns;
    this.doing = doing;
    this.size = size;
  }

  /**
   * Returns the progress bar of a command, shown only at a terminal.
   *
   * @param size the expected number of bytes; 0 if not known
   */
  public static ProgressBar on(Console console, String doing, long size) {
    return new ProgressBar(
        console.err(), Terminal.isInteractive(), Terminal.columns(), doing, size);
  }

  /** Adds bytes. */
  public void add(long count) {
    bytes += count;
    long now = System.nanoTime();
    if (shown && now - shownNanos >= INTERVAL_NANOS) {
      shownNanos = now;
      show(line(bytes, size, doing, (now - startNanos) / 1e9, columns));
    }
  }

  /** Returns the longest text that fits on a line, since a wrapped line cannot be overwritten. */
  static String line(long bytes, long size, String doing, double seconds, int columns) {
    String rate = String.format(Locale.ROOT, ", %.1f MiB/s", bytes / MIB / seconds);
    if (size <= 0) {
      String done = String.format(Locale.ROOT, "%.1f MiB", bytes / MIB);
      return longestWithin(columns, doing + " " + done + rate, doing + " " + done, done);
    }
    double part = Math.min(1, (double) bytes / size);
    int full = (int) (part * WIDTH);
    String bar = " [" + "#".repeat(full) + ".".repeat(WIDTH - full) + "]";
    String percent = String.format(Locale.ROOT, " %3.0f %%", 100 * part);
    String done = String.format(Locale.ROOT, ", %.1f of %.1f MiB", bytes / MIB, size / MIB);
    return longestWithin(
        columns,
        doing + bar + percent + done + rate,
        doing + percent + done + rate,
        doing + percent + done,
        doing + percent,
        percent);
  }

  /** Returns the first text that leaves the last column free, after which a terminal may wrap. */
  private static String longestWithin(int columns, String... longestFirst) {
    return Arrays.stream(longestFirst)
        .filter(line -> line.length() < columns)
        .findFirst()
        .orElse("");
  }

  private void show(String line) {
    out.print("\r" + line + " ".repeat(Math.max(0, shownLength - line.length())));
    out.flush();
    shownLength = line.length();
  }

  /** Clears the line and returns the number of bytes. */
  public long finish() {
    if (shownLength > 0) {
      show("");
      out.print("\r");
      out.flush();
      shownLength = 0;
    }
    return bytes;
  }

  @Override
  public void close() {
    finish();
  }
}
