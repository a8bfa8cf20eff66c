package io.treecast.client;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.Executor;

/**
 * Runs tasks on another executor in order and one at a time, whatever its number of threads. So a
 * handler is never called by two threads at once.
 *
 * <p>Any thread may submit tasks.
 */
final class SerialExecutor implements Executor {
  private final Executor executor;

  // Guarded by this.
  private final Deque<Runnable> waiting = new ArrayDeque<>(); // Short: a stream takes few ahead.
  private boolean busy;

  SerialExecutor(Executor executor) {
    this.executor = executor;
  }

  @Override
  public void execute(Runnable task) {
    synchronized (this) {
      waiting.add(task);
      if (busy) {
        return;
      }
      busy = true;
    }
    boolean isTaken = false;
    try {
      handOver();
      isTaken = true;
    } finally {
      if (!isTaken) {
        forget(task);
      }
    }
  }

  private void handOver() {
    boolean isTaken = false;
    try {
      executor.execute(this::runNext);
      isTaken = true;
    } finally {
      if (!isTaken) {
        release();
      }
    }
  }

  private synchronized void forget(Runnable task) {
    waiting.removeLastOccurrence(task);
  }

  /** Lets the next task try the executor again. */
  private synchronized void release() {
    busy = false;
  }

  private void runNext() {
    Runnable task;
    synchronized (this) {
      task = waiting.remove();
    }
    try {
      task.run();
    } finally {
      boolean isMore;
      synchronized (this) {
        isMore = !waiting.isEmpty();
        busy = isMore;
      }
      if (isMore) {
        handOver();
      }
    }
  }
}
