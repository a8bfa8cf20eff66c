package io.treecast.cli.console;

import io.treecast.cli.output.Terminal;
import io.treecast.cli.output.UnblockedOutput;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.OutputStream;
import java.io.PrintStream;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/**
 * Standard output and standard error of this process. Those of {@code treecast agent} never block,
 * since other agents wait for it. Thread-safe.
 */
public final class ProcessOutput {
  /** Timeout at the exit of the process for a reader of the last lines. */
  private static final long LAST_LINES_MILLIS = 1_000;

  private static final List<UnblockedOutput> UNBLOCKED = new CopyOnWriteArrayList<>();

  private ProcessOutput() {}

  /** Returns standard output. */
  public static OutputStream out() {
    return new FileOutputStream(FileDescriptor.out);
  }

  /**
   * Returns a standard output that does not block its writers, and replaces standard error,
   * including the log's, by such an output.
   */
  public static OutputStream unblocked(boolean isJson) {
    UnblockedOutput err =
        UnblockedOutput.to(
            new FileOutputStream(FileDescriptor.err), "treecast-stderr", ProcessOutput::dropped);
    UNBLOCKED.add(err);
    System.setErr(new PrintStream(err, true, Terminal.charset()));
    UnblockedOutput out =
        UnblockedOutput.to(
            out(),
            "treecast-stdout",
            isJson
                ? lines -> "{\"event\":\"dropped\",\"lines\":" + lines + "}"
                : ProcessOutput::dropped);
    UNBLOCKED.add(out);
    return out;
  }

  private static String dropped(long lines) {
    return "%s WARN  %s dropped here, because the reader of the output was too slow"
        .formatted(Timestamp.now(), Plural.of(lines, "line"));
  }

  /** Waits up to a timeout until the readers have received the last lines. */
  public static void drain() {
    UNBLOCKED.forEach(output -> output.drain(LAST_LINES_MILLIS));
  }
}
