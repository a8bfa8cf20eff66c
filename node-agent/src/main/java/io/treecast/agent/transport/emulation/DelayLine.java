package io.treecast.agent.transport.emulation;

import java.util.PriorityQueue;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Runs tasks later, on one thread of its own, in the order of their times; tasks of the same
 * nanosecond run in the order of their submission. Thread-safe.
 *
 * <p>The order is that of the given times, so a pause of the machine never swaps two tasks.
 */
public final class DelayLine implements AutoCloseable {
  private record Task(long dueNanos, long number, LongConsumer action) implements Comparable<Task> {
    @Override
    public int compareTo(Task other) {
      // Values of nanoTime are compared by their difference.
      long byTime = dueNanos - other.dueNanos;
      return byTime != 0 ? Long.signum(byTime) : Long.compare(number, other.number);
    }
  }

  private static final Logger log = LoggerFactory.getLogger(DelayLine.class);

  private final ReentrantLock lock = new ReentrantLock();
  private final Condition changed = lock.newCondition();
  private final Thread thread;

  // Guarded by the lock.
  private final PriorityQueue<Task> tasks = new PriorityQueue<>();
  private long lastNumber;
  private boolean closed;

  public DelayLine() {
    thread = new Thread(this::run, "treecast-delay-line");
    thread.setDaemon(true);
    thread.start();
  }

  /**
   * Runs the task when {@link System#nanoTime} has reached this value; drops it after {@link
   * #close}.
   *
   * @param task receives by how much it runs later than due, in nanoseconds
   */
  void at(long dueNanos, LongConsumer task) {
    lock.lock();
    try {
      if (!closed) {
        tasks.add(new Task(dueNanos, ++lastNumber, task));
        changed.signal();
      }
    } finally {
      lock.unlock();
    }
  }

  private void run() {
    try {
      for (Task task = next(); task != null; task = next()) {
        try {
          task.action.accept(Math.max(0, System.nanoTime() - task.dueNanos));
        } catch (RuntimeException e) {
          log.error("a delayed message was lost", e);
        }
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** Waits until a task is due; returns null once there will be no more tasks. */
  private @Nullable Task next() throws InterruptedException {
    lock.lock();
    try {
      while (true) {
        Task first = tasks.peek();
        if (first == null && closed) {
          return null;
        } else if (first == null) {
          changed.await();
        } else if (closed || first.dueNanos - System.nanoTime() <= 0) {
          return tasks.remove();
        } else {
          var unused = changed.awaitNanos(first.dueNanos - System.nanoTime());
        }
      }
    } finally {
      lock.unlock();
    }
  }

  /** Accepts no more tasks. Waiting ones run at once, in order, and then the thread ends. */
  @Override
  public void close() {
    lock.lock();
    try {
      closed = true;
      changed.signal();
    } finally {
      lock.unlock();
    }
    if (Thread.currentThread() != thread) {
      try {
        thread.join();
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
    }
  }
}
