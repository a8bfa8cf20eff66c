package io.treecast.client;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * Runs the callbacks that applications chain to futures, which may block without limit. Tasks start
 * in the order of their submission. They share a few threads: most take no time and many may be
 * submitted at once, and waking a thread for each would cost more than the tasks. Further threads
 * start when no task has started for {@link #STALL_MILLIS} because the threads block, or when the
 * first task has waited for {@link #PATIENCE_MILLIS}. At {@link #MOST_THREADS}, tasks wait for a
 * thread to end.
 *
 * <p>The queue has no limit: each task completes a future that a caller holds, and that would
 * otherwise never complete.
 *
 * <p>Any thread may submit tasks. The threads are daemons, and each ends after {@link
 * #IDLE_SECONDS} without a task.
 */
final class CompletionThreads implements Executor {
  /** The number of threads that start before a task has to wait. */
  static final int THREADS = Math.max(2, Runtime.getRuntime().availableProcessors());

  static final int MOST_THREADS = 4_096;
  static final long STALL_MILLIS = 1;
  static final long PATIENCE_MILLIS = 10;

  /** The number of threads that start at once for overdue tasks. */
  private static final int GROWTH_THREADS = 64;

  private static final long IDLE_SECONDS = 1;
  private static final long STALL_NANOS = TimeUnit.MILLISECONDS.toNanos(STALL_MILLIS);
  private static final long PATIENCE_NANOS = TimeUnit.MILLISECONDS.toNanos(PATIENCE_MILLIS);

  private record Waiting(Runnable task, long sinceNanos) {}

  /** Hands tasks over to the thread that was busy last, so that the others stay idle and end. */
  private final ThreadPoolExecutor threads =
      new ThreadPoolExecutor(
          0,
          Integer.MAX_VALUE, // This class limits the workers; one more thread watches.
          IDLE_SECONDS,
          TimeUnit.SECONDS,
          new SynchronousQueue<>(),
          HandlerThread.factory("treecast-completion"));

  private final int mostThreads;
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition patience = lock.newCondition();

  /** The tasks that a thread submits to these threads during {@link #together}. */
  private record Gathered(CompletionThreads to, List<Waiting> tasks) {}

  /** Unset outside of {@link #together}. */
  private static final ThreadLocal<@Nullable Gathered> gathered = new ThreadLocal<>();

  // Guarded by the lock.
  private final ArrayDeque<Waiting> waiting = new ArrayDeque<>();
  private long begun;
  private int working;
  private boolean watched;

  CompletionThreads(int mostThreads) {
    this.mostThreads = mostThreads;
  }

  @Override
  public void execute(Runnable task) {
    Waiting submitted = new Waiting(task, System.nanoTime());
    Gathered together = gathered.get();
    if (together != null && together.to == this) {
      together.tasks.add(submitted);
    } else {
      submit(List.of(submitted));
    }
  }

  /**
   * Runs an action on the calling thread and then submits all tasks of the action at once. Workers
   * that end between two tasks would have to be woken for each task.
   */
  void together(Runnable action) {
    List<Waiting> tasks = new ArrayList<>();
    gathered.set(new Gathered(this, tasks));
    try {
      action.run();
    } finally {
      gathered.remove();
      submit(tasks);
    }
  }

  private void submit(List<Waiting> tasks) {
    lock.lock();
    try {
      // All are queued before a thread starts, which may fail.
      waiting.addAll(tasks);
      for (int i = 0; i < tasks.size(); i++) {
        if (working < Math.min(THREADS, mostThreads)) {
          startWorker();
        } else if (!watched && working < mostThreads) {
          watched = start(this::watch);
        }
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
   * Starts a thread for a role. Returns false if the system has no more threads; then the existing
   * ones do the work.
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
      } catch (
          Throwable e) { // Only an Error is thrown: futures keep the exceptions of their callbacks.
        Thread self = Thread.currentThread();
        self.getUncaughtExceptionHandler().uncaughtException(self, e);
      }
    }
  }

  /** Returns the next task; null if the worker is no longer needed. */
  private @Nullable Runnable next() {
    boolean unused = Thread.interrupted(); // An interrupt was for the previous task.
    lock.lock();
    try {
      Waiting first = waiting.poll();
      if (first == null) {
        working--;
        return null;
      }
      begun++;
      return first.task;
    } finally {
      lock.unlock();
    }
  }

  /** Starts workers for overdue tasks until no task waits. */
  private void watch() {
    lock.lock();
    try {
      while (!waiting.isEmpty() && working < mostThreads) {
        long begunBefore = begun;
        boolean unused = patience.awaitNanos(STALL_NANOS) > 0;
        startWorkersForOverdue(begun == begunBefore ? STALL_NANOS : PATIENCE_NANOS);
      }
    } catch (InterruptedException e) {
      Thread.currentThread()
          .interrupt(); // No caller interrupts it; the next task starts a watch again.
    } finally {
      watched = false;
      lock.unlock();
    }
  }

  /**
   * Starts workers for some overdue tasks at a time: after a stall of the machine all tasks are
   * overdue, and the existing threads suffice.
   */
  private void startWorkersForOverdue(long patienceNanos) {
    long nowNanos = System.nanoTime();
    int most = Math.min(GROWTH_THREADS, mostThreads - working);
    waiting.stream()
        .limit(most)
        .takeWhile(first -> nowNanos - first.sinceNanos >= patienceNanos)
        .forEach(first -> startWorker());
  }
}
