package io.treecast.agent.runtime;

import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/**
 * The threads that read what is asked over HTTP, and answer. One that takes too long is
 * interrupted, which closes the connection that it reads from or writes to: so who asks and does
 * not go on keeps a thread for so long only. The JDK's server itself knows such a limit only for
 * the whole process, of which an agent may be a part.
 *
 * <p>Thread-safe.
 */
final class AnswerThreads implements Executor, AutoCloseable {
  /** Longer than scrapers wait. */
  static final long LONGEST_SECONDS = 10;

  private final ExecutorService threads;
  private final ScheduledThreadPoolExecutor clock;

  /** Daemons of this name. */
  AnswerThreads(String name, int count) {
    ThreadFactory factory =
        task -> {
          Thread thread = new Thread(task, name);
          thread.setDaemon(true);
          return thread;
        };
    this.threads = Executors.newFixedThreadPool(count, factory);
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
    Answering answering = new Answering(Thread.currentThread());
    Future<?> limit = clock.schedule(answering::takesTooLong, LONGEST_SECONDS, TimeUnit.SECONDS);
    try {
      answer.run();
    } finally {
      answering.over();
      limit.cancel(false);
    }
  }

  /** One answer: its thread is interrupted as long as it is at this one, and not at the next. */
  private static final class Answering {
    private final Thread thread;
    private boolean isOver;

    Answering(Thread thread) {
      this.thread = thread;
    }

    synchronized void takesTooLong() {
      if (!isOver) {
        thread.interrupt();
      }
    }

    /** On its thread. */
    synchronized void over() {
      isOver = true;
      var unusedAsItIsOver = Thread.interrupted();
    }
  }

  @Override
  public void close() {
    threads.shutdownNow();
    clock.shutdownNow();
  }
}
