package io.treecast.client;

import java.util.ArrayDeque;
import java.util.concurrent.Executor;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * Runs what applications chain to futures, which may block for as long as it likes. Tasks begin in
 * the order in which they came. They share some threads, as most take no time and many may come at
 * once; one that has waited {@link #PATIENCE_MILLIS} for these, since they block, gets another
 * thread, and beyond {@link #MOST_THREADS} waits for the end of one.
 *
 * <p>What waits has no limit: each is a future that somebody was given, and that would never end.
 *
 * <p>Any thread may hand over. The threads are daemons, and each ends when it was idle for {@link
 * #IDLE_SECONDS}.
 */
final class CompletionThreads implements Executor {
  /** So many are started before a task has to wait. */
  static final int THREADS = 64;

  static final int MOST_THREADS = 4_096;
  static final long PATIENCE_MILLIS = 10;
  private static final long IDLE_SECONDS = 1;
  private static final long PATIENCE_NANOS = TimeUnit.MILLISECONDS.toNanos(PATIENCE_MILLIS);

  private record Waiting(Runnable task, long sinceNanos) {}

  /** Hands over to the thread that was last busy, so the others are idle as long as they can be. */
  private final ThreadPoolExecutor threads =
      new ThreadPoolExecutor(
          0,
          Integer.MAX_VALUE, // Those that work are counted here, and one watches.
          IDLE_SECONDS,
          TimeUnit.SECONDS,
          new SynchronousQueue<>(),
          HandlerThread.factory("treecast-completion"));

  private final int mostThreads;
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition patience = lock.newCondition();

  // Guarded by the lock.
  private final ArrayDeque<Waiting> waiting = new ArrayDeque<>();
  private int working;
  private boolean watched;

  CompletionThreads(int mostThreads) {
    this.mostThreads = mostThreads;
  }

  @Override
  public void execute(Runnable task) {
    lock.lock();
    try {
      waiting.add(new Waiting(task, System.nanoTime()));
      if (working < Math.min(THREADS, mostThreads)) {
        startWorker();
      } else if (!watched && working < mostThreads) {
        watched = start(this::watch);
      }
    } finally {
      lock.unlock();
    }
  }

  private void startWorker() {
    if (start(this::work)) {
      working++;
    }
  }

  /**
   * Says whether there is a thread for it. There is none where the system has no more: then those
   * that there are do the work.
   */
  private boolean start(Runnable role) {
    try {
      threads.execute(role);
      return true;
    } catch (OutOfMemoryError e) {
      if (working == 0) {
        throw e;
      }
      return false;
    }
  }

  private void work() {
    for (Runnable task = next(); task != null; task = next()) {
      try {
        task.run();
      } catch (Throwable e) { // An error: futures keep what is thrown by what is chained to them.
        Thread self = Thread.currentThread();
        self.getUncaughtExceptionHandler().uncaughtException(self, e);
      }
    }
  }

  /** What to do next; null if the worker is not needed any more. */
  private @Nullable Runnable next() {
    boolean unused = Thread.interrupted(); // Was meant for the task before.
    lock.lock();
    try {
      Waiting first = waiting.poll();
      if (first == null) {
        working--;
        return null;
      }
      return first.task;
    } finally {
      lock.unlock();
    }
  }

  /** Starts workers for what has waited too long, until nothing waits. */
  private void watch() {
    lock.lock();
    try {
      while (!waiting.isEmpty() && working < mostThreads) {
        startWorkersForOverdue();
        boolean unused = patience.awaitNanos(PATIENCE_NANOS) > 0;
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt(); // Nobody does; the next task would be watched again.
    } finally {
      watched = false;
      lock.unlock();
    }
  }

  /** Not for all at once: when the machine was busy all are, and the threads that are there do. */
  private void startWorkersForOverdue() {
    long nowNanos = System.nanoTime();
    int most = Math.min(THREADS, mostThreads - working);
    waiting.stream()
        .limit(most)
        .takeWhile(first -> nowNanos - first.sinceNanos >= PATIENCE_NANOS)
        .forEach(first -> startWorker());
  }
}
