package io.treecast.cli.console;

import io.treecast.cli.output.Terminal;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A note at a terminal, on standard error, for what a command waits once the wait takes long. It is
 * printed by a thread of the common pool.
 */
public final class WaitingNote {
  private static final long AFTER_SECONDS = 2;

  private final Console console;
  private final boolean shown;
  private final Executor later;
  private final Supplier<String> text;

  WaitingNote(Console console, boolean shown, Executor later, Supplier<String> text) {
    this.console = console;
    this.shown = shown;
    this.later = later;
    this.text = text;
  }

  /**
   * Returns the note of a command, shown only at a terminal.
   *
   * @param text supplies the note when it is due; if that fails, there is no note
   */
  public static WaitingNote on(Console console, Supplier<String> text) {
    return new WaitingNote(
        console,
        Terminal.isInteractive(),
        CompletableFuture.delayedExecutor(AFTER_SECONDS, TimeUnit.SECONDS),
        text);
  }

  /** Runs a call that may take long, on the calling thread. */
  public <T extends @Nullable Object> T during(Supplier<T> waiting) {
    if (!shown) {
      return waiting.get();
    }
    CompletableFuture<Void> waited = new CompletableFuture<>();
    var unused =
        CompletableFuture.supplyAsync(() -> waited.isDone() ? "" : text.get(), later)
            .thenAccept(
                line -> {
                  if (!waited.isDone()) {
                    console.note(line);
                  }
                });
    try {
      return waiting.get();
    } finally {
      waited.complete(null);
    }
  }
}
