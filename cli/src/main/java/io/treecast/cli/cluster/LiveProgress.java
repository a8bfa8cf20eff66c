package io.treecast.cli.cluster;

import io.treecast.cli.console.Console;
import io.treecast.testkit.run.RunProgress;
import java.util.Locale;
import java.util.concurrent.TimeUnit;

/**
 * Reports the progress of runs in real time on standard error, each line with the elapsed time and
 * the estimated time of all runs, which grows when runs are late.
 */
public final class LiveProgress implements RunProgress {
  private static final double NANOS_PER_SECOND = 1e9;

  private final Console console;
  private final long startNanos = System.nanoTime();

  /** The estimated time of the runs that have not begun. */
  private long laterMillis;

  /**
   * Creates the progress of runs that start now.
   *
   * @param expectedMillis the duration of all runs if each tree is built at once
   */
  public LiveProgress(Console console, long expectedMillis) {
    this.console = console;
    this.laterMillis = expectedMillis;
  }

  @Override
  public void begin(long expectedMillis) {
    laterMillis = Math.max(0, laterMillis - expectedMillis);
  }

  @Override
  public void at(String line, long leftMillis) {
    long pastNanos = System.nanoTime() - startNanos;
    long allMillis = TimeUnit.NANOSECONDS.toMillis(pastNanos) + leftMillis + laterMillis;
    console.note(
        String.format(
            Locale.ROOT,
            "[%5.1f s of about %d s] %s",
            pastNanos / NANOS_PER_SECOND,
            allMillis / 1_000,
            line));
  }
}
