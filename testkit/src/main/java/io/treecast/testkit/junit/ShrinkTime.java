package io.treecast.testkit.junit;

import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BooleanSupplier;

/**
 * The time that a test has for smaller scenarios, over all its seeds. Thread-safe; each scenario is
 * tried on a thread of its own, since nothing else ends what hangs.
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
   * Returns whether a smaller scenario fails; false if that is not known when time is up, and the
   * thread that tries it is interrupted then.
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
