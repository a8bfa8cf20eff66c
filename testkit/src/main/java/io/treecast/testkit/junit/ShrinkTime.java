package io.treecast.testkit.junit;

import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BooleanSupplier;

/**
 * The time for smaller scenarios of a test, shared by all its seeds. Thread-safe. Each scenario is
 * tried on its own thread, so that one that hangs can be abandoned.
 */
final class ShrinkTime {
  private final AtomicLong leftNanos;

  ShrinkTime(long seconds) {
    leftNanos = new AtomicLong(TimeUnit.SECONDS.toNanos(seconds));
  }

  boolean isOver() {
    return leftNanos.get() <= 0;
  }

  /**
   * Returns whether a smaller scenario fails. When the time is used up, its thread is interrupted
   * and the result is false.
   */
  boolean fails(BooleanSupplier smaller) {
    long limitNanos = leftNanos.get();
    if (limitNanos <= 0) {
      return false;
    }
    FutureTask<Boolean> attempt = new FutureTask<>(smaller::getAsBoolean);
    Thread thread = new Thread(attempt, "smaller scenario");
    thread.setDaemon(true);
    long startNanos = System.nanoTime();
    thread.start();
    try {
      return attempt.get(limitNanos, TimeUnit.NANOSECONDS);
    } catch (TimeoutException tooSlow) {
      thread.interrupt();
      return false;
    } catch (ExecutionException e) {
      throw new IllegalStateException("a smaller scenario could not be tried", e.getCause());
    } catch (InterruptedException e) {
      thread.interrupt();
      Thread.currentThread().interrupt();
      return false;
    } finally {
      leftNanos.addAndGet(startNanos - System.nanoTime());
    }
  }
}
