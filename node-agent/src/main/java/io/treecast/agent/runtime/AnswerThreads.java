package io.treecast.agent.runtime;

import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * The threads that read what is asked over HTTP, and answer. One that takes too long is
 * interrupted, which closes the connection that it reads from or writes to: so who asks and does
 * not go on keeps a thread for so long only. Nobody waits for a thread: where all are busy, the
 * task is rejected, and the JDK's server closes the connection. That server itself knows limits of
 * time only for the whole process, of which an agent may be a part.
 *
 * <p>Thread-safe.
 */
final class AnswerThreads implements Executor, AutoCloseable {
  /** For a request without its body, which is one packet or a few. */
  static final long READ_SECONDS = 2;

  /** Longer than scrapers wait. */
  static final long ANSWER_SECONDS = 10;

  private static final long IDLE_SECONDS = 10;

  /** What the thread is at. */
  private static final ThreadLocal<Answering> CURRENT = new ThreadLocal<>();

  private final ExecutorService threads;
  private final ScheduledThreadPoolExecutor clock;

  /** Daemons of this name, that end when they are idle. */
  AnswerThreads(String name, int most) {
    ThreadFactory factory =
        task -> {
          Thread thread = new Thread(task, name);
          thread.setDaemon(true);
          return thread;
        };
    this.threads =
        new ThreadPoolExecutor(
            0, most, IDLE_SECONDS, TimeUnit.SECONDS, new SynchronousQueue<>(), factory);
    this.clock = new ScheduledThreadPoolExecutor(1, factory);
    clock.setRemoveOnCancelPolicy(true);
    // Whoever still answers when all is closed is interrupted by that.
    clock.setRejectedExecutionHandler(new ThreadPoolExecutor.DiscardPolicy());
  }

  @Override
  public void execute(Runnable answer) {
    threads.execute(() -> run(answer));
  }

  private void run(Runnable answer) {
    Answering answering = new Answering(clock);
    CURRENT.set(answering);
    answering.mayTake(READ_SECONDS);
    try {
      answer.run();
    } finally {
      answering.over();
      CURRENT.remove();
    }
  }

  /** On one of the threads: it has read the request, and has the time for an answer from now on. */
  static void requestIsRead() {
    CURRENT.get().mayTake(ANSWER_SECONDS);
  }

  /** One answer: its thread is interrupted as long as it is at this one, and not at the next. */
  private static final class Answering {
    private final Thread thread = Thread.currentThread();
    private final ScheduledThreadPoolExecutor clock;
    private @Nullable Future<?> limit;
    private boolean isOver;

    Answering(ScheduledThreadPoolExecutor clock) {
      this.clock = clock;
    }

    /** Instead of what it might take before. */
    synchronized void mayTake(long seconds) {
      if (limit != null) {
        limit.cancel(false);
      }
      limit = clock.schedule(this::takesTooLong, seconds, TimeUnit.SECONDS);
    }

    private synchronized void takesTooLong() {
      if (!isOver) {
        thread.interrupt();
      }
    }

    /** On its thread. */
    synchronized void over() {
      isOver = true;
      if (limit != null) {
        limit.cancel(false);
      }
      var unusedAsItIsOver = Thread.interrupted();
    }
  }

  @Override
  public void close() {
    threads.shutdownNow();
    clock.shutdownNow();
  }
}
