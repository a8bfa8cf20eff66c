package io.treecast.cli.cluster;

import io.treecast.cli.console.Console;
import java.util.Locale;
import java.util.function.Consumer;

/** Reports on standard error how far a run in real time is, each line with the time so far. */
public final class LiveProgress implements Consumer<String> {
  private static final double NANOS_PER_SECOND = 1e9;

  private final Console console;
  private final long expectedMillis;
  private final long startNanos = System.nanoTime();

  /**
   * Begins to report a run that starts now.
   *
   * @param expectedMillis how long it takes if each tree is built at once
   */
  public LiveProgress(Console console, long expectedMillis) {
    this.console = console;
    this.expectedMillis = expectedMillis;
  }

  @Override
  public void accept(String line) {
    console.note(
        String.format(
            Locale.ROOT,
            "[%5.1f s of about %d s] %s",
            (System.nanoTime() - startNanos) / NANOS_PER_SECOND,
            expectedMillis / 1_000,
            line));
  }
}
