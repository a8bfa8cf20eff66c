package io.treecast.cli.console;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.IntSupplier;

/**
 * Ends a streaming command gracefully: a signal that ends the process interrupts the command's
 * thread, and the process waits for the command.
 */
public final class EndAtSignal {
  /** Timeout of the wait; an agent may need eleven seconds to close. */
  private static final long END_SECONDS = 15;

  private final Thread command = Thread.currentThread();
  private final CountDownLatch ended = new CountDownLatch(1);

  private EndAtSignal() {}

  /**
   * Runs the command on this thread and returns its exit code; after a signal the process exits
   * with {@link ExitCode#OK}.
   */
  public static int run(IntSupplier command) {
    EndAtSignal end = new EndAtSignal();
    Thread hook = new Thread(end::signalled, "treecast-signalled");
    Runtime.getRuntime().addShutdownHook(hook);
    try {
      return command.getAsInt();
    } finally {
      end.ended.countDown();
      withdraw(hook);
    }
  }

  /** The shutdown hook. Without it the exit code would be that of the signal. */
  private void signalled() {
    command.interrupt();
    boolean inTime = false;
    try {
      inTime = ended.await(END_SECONDS, TimeUnit.SECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    ProcessOutput.drain();
    Runtime.getRuntime().halt(inTime ? ExitCode.OK : ExitCode.FAILED);
  }

  private static void withdraw(Thread hook) {
    try {
      Runtime.getRuntime().removeShutdownHook(hook);
    } catch (IllegalStateException e) {
      // The hook already runs and ends the process.
    }
  }
}
