package io.treecast.cli.agent;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.turbo.TurboFilter;
import ch.qos.logback.core.spi.FilterReply;
import io.treecast.cli.console.ExitCode;
import io.treecast.cli.console.ProcessOutput;
import java.util.Locale;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.LoggerFactory;
import org.slf4j.Marker;

/**
 * Ends an agent that lacks threads or memory, rather than let it fail in part. An error of the
 * virtual machine (memory, threads, the stack) on any thread ends the process, whether it is
 * uncaught or logged by gRPC or Netty. A lack of file descriptors, in which connections wait, is
 * logged once a minute. Thread-safe.
 */
public final class FatalErrors extends TurboFilter {
  private static final long QUIET_NANOS = TimeUnit.MINUTES.toNanos(1);

  /** An upper bound of the threads that an agent starts in order to leave. */
  private static final int SPARE_THREADS = 16;

  /** Libraries whose warnings are suppressed: agents report failed connections themselves. */
  private static final String LIBRARIES = "io.grpc";

  private static final org.slf4j.Logger log = LoggerFactory.getLogger(FatalErrors.class);

  private final Consumer<String> end;
  private final LongSupplier nanos;

  /** Time before which the lack of file descriptors is not logged again. */
  private final AtomicLong quietUntilNanos;

  /**
   * Creates a filter that suppresses warnings of gRPC and Netty and passes all other events.
   *
   * @param end ends the process with a message
   * @param nanos a clock of any origin
   */
  FatalErrors(Consumer<String> end, LongSupplier nanos) {
    this.end = end;
    this.nanos = nanos;
    this.quietUntilNanos = new AtomicLong(nanos.getAsLong());
  }

  /** Installs the filter for all threads of the process. */
  public static void endProcess() {
    FatalErrors errors = new FatalErrors(FatalErrors::halt, System::nanoTime);
    Thread.setDefaultUncaughtExceptionHandler(errors::uncaught);
    if (LoggerFactory.getILoggerFactory() instanceof LoggerContext context) {
      // Netty logs as a warning that it cannot accept a connection. The filter keeps it from the
      // log.
      context.getLogger(LIBRARIES).setLevel(Level.WARN);
      context.addTurboFilter(errors);
    }
  }

  /**
   * Ends the process unless the system permits a few more threads. A signal needs one, and so does
   * each step of leaving. An agent that cannot start a thread would ignore SIGTERM, because Java
   * then only warns.
   */
  static void requireSpareThreads() {
    CountDownLatch over = new CountDownLatch(1);
    try {
      for (int i = 0; i < SPARE_THREADS; i++) {
        Thread spare = new Thread(() -> awaitEnd(over), "treecast-spare");
        spare.setDaemon(true);
        spare.start();
      }
    } catch (OutOfMemoryError e) {
      halt(words(e));
    } finally {
      over.countDown();
    }
  }

  private static void awaitEnd(CountDownLatch over) {
    try {
      over.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private static void halt(String why) {
    System.err.println(why);
    ProcessOutput.drain();
    Runtime.getRuntime().halt(ExitCode.EXHAUSTED);
  }

  void uncaught(Thread thread, Throwable failure) {
    if (failure instanceof Error) {
      end.accept(words(failure));
    } else {
      log.error("thread {} has failed", thread.getName(), failure);
    }
  }

  private static String words(Throwable failure) {
    return "treecast: the agent exits: "
        + failure
        + "; raise the limit: memory (-Xmx), threads (pids, ulimit -u)";
  }

  @Override
  public FilterReply decide(
      @Nullable Marker marker,
      ch.qos.logback.classic.Logger logger,
      Level level,
      @Nullable String format,
      Object @Nullable [] params,
      @Nullable Throwable failure) {
    for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
      if (cause instanceof VirtualMachineError) {
        end.accept(words(cause));
      } else if (isLackOfFiles(cause)) {
        warnOfLackOfFiles();
      }
    }
    boolean isLine =
        format != null || failure != null; // Otherwise logback asks whether the level is enabled.
    boolean isWarning = !level.isGreaterOrEqual(Level.ERROR);
    return isLine && isWarning && logger.getName().startsWith(LIBRARIES)
        ? FilterReply.DENY
        : FilterReply.NEUTRAL;
  }

  /** Recognizes the lack of file descriptors by the system's message, the only sign of it. */
  private static boolean isLackOfFiles(Throwable failure) {
    String message = failure.getMessage();
    return message != null && message.toLowerCase(Locale.ROOT).contains("too many open files");
  }

  private void warnOfLackOfFiles() {
    long now = nanos.getAsLong();
    long until = quietUntilNanos.get();
    if (now - until >= 0 && quietUntilNanos.compareAndSet(until, now + QUIET_NANOS)) {
      log.warn(
          "too many open files: connections wait until others end; raise the limit (ulimit -n,"
              + " LimitNOFILE)");
    }
  }
}
