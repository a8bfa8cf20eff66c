package io.treecast.client;

import java.util.Comparator;
import java.util.List;
import java.util.TreeSet;
import java.util.concurrent.AbstractExecutorService;
import java.util.concurrent.Callable;
import java.util.concurrent.Delayed;
import java.util.concurrent.FutureTask;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * A client's timer in virtual time: actions run, and time advances, only when a test commands it,
 * on the test's thread.
 */
public final class VirtualTimer extends AbstractExecutorService
    implements ScheduledExecutorService {
  private final TreeSet<Due> due =
      new TreeSet<>(
          Comparator.<Due>comparingLong(each -> each.atNanos)
              .thenComparingLong(each -> each.number));
  private long nowNanos;
  private long lastNumber;
  private boolean stopped;
  private @Nullable Throwable thrown;

  /** An action with its time. */
  private final class Due extends FutureTask<@Nullable Object> implements ScheduledFuture<Object> {
    private final long atNanos;
    private final long number = ++lastNumber;

    Due(Runnable action, long atNanos) {
      super(action, null);
      this.atNanos = atNanos;
    }

    @Override
    protected void done() {
      due.remove(this);
    }

    @Override
    protected void setException(Throwable error) {
      thrown = error;
      super.setException(error);
    }

    @Override
    public long getDelay(TimeUnit unit) {
      return unit.convert(atNanos - nowNanos, TimeUnit.NANOSECONDS);
    }

    @Override
    public int compareTo(Delayed other) {
      return Long.compare(getDelay(TimeUnit.NANOSECONDS), other.getDelay(TimeUnit.NANOSECONDS));
    }
  }

  /** Returns the virtual time. */
  public long nowNanos() {
    return nowNanos;
  }

  /** Returns the time of the next action; MAX_VALUE if there is none. */
  public long nextNanos() {
    return due.isEmpty() ? Long.MAX_VALUE : due.first().atNanos;
  }

  /** Advances the time without running actions. */
  public void advanceTo(long laterNanos) {
    nowNanos = Math.max(nowNanos, laterNanos);
  }

  /** Runs the next action if it is due. */
  public void runNext() {
    if (nextNanos() <= nowNanos) {
      Due next = due.first();
      due.remove(next);
      next.run();
      check();
    }
  }

  /** Runs all actions that are due. */
  void runDue() {
    while (nextNanos() <= nowNanos) {
      runNext();
    }
  }

  /** Runs all actions that become due in this period, each at its time. */
  void runFor(long nanos) {
    long untilNanos = nowNanos + nanos;
    while (nextNanos() <= untilNanos) {
      advanceTo(nextNanos());
      runNext();
    }
    advanceTo(untilNanos);
  }

  private void check() {
    Throwable found = thrown;
    if (found != null) {
      throw new AssertionError("an action of the timer failed", found);
    }
  }

  @Override
  public void execute(Runnable action) {
    var unused = schedule(action, 0, TimeUnit.NANOSECONDS);
  }

  @Override
  public ScheduledFuture<?> schedule(Runnable action, long delay, TimeUnit unit) {
    Due added = new Due(action, nowNanos + Math.max(0, unit.toNanos(delay)));
    if (!stopped) {
      due.add(added);
    }
    return added;
  }

  @Override
  public List<Runnable> shutdownNow() {
    stopped = true;
    due.clear();
    return List.of();
  }

  @Override
  public void shutdown() {
    stopped = true;
  }

  @Override
  public boolean isShutdown() {
    return stopped;
  }

  @Override
  public boolean isTerminated() {
    return stopped;
  }

  @Override
  public boolean awaitTermination(long timeout, TimeUnit unit) {
    return stopped;
  }

  @Override
  public <V> ScheduledFuture<V> schedule(Callable<V> action, long delay, TimeUnit unit) {
    throw new UnsupportedOperationException();
  }

  @Override
  public ScheduledFuture<?> scheduleAtFixedRate(
      Runnable action, long initialDelay, long period, TimeUnit unit) {
    throw new UnsupportedOperationException();
  }

  @Override
  public ScheduledFuture<?> scheduleWithFixedDelay(
      Runnable action, long initialDelay, long delay, TimeUnit unit) {
    throw new UnsupportedOperationException();
  }
}
