package io.treecast.agent.runtime.loop;

import io.treecast.agent.transport.connection.Loop;
import java.util.ArrayDeque;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The one thread that drives an agent's core: runs tasks in order, and the core's timers when they
 * are due.
 *
 * <p>Tasks of the network are bounded by its flow control. Applications' requests go through {@link
 * #offer}, which has limits of its own, by number and by size.
 */
public final class EventLoop implements Loop {
  /** Requests of applications that may wait; more are refused. */
  public static final int MAX_OFFERED_TASKS = 65_536;

  /** The most tasks that run before the timers are checked again. */
  static final int BATCH_TASKS = 64;

  /** Timers wait no longer than this, and one task, for tasks that were queued before. */
  static final long BATCH_NANOS = 1_000_000;

  private static final Logger log = LoggerFactory.getLogger(EventLoop.class);

  /** The core's timers. */
  public interface Timers {
    long nextDeadlineNanos();

    void tick(long nowNanos);
  }

  private final LinkedBlockingQueue<Runnable> tasks = new LinkedBlockingQueue<>();

  /** The next tasks, taken from the queue together. For the loop's thread. */
  private final ArrayDeque<Runnable> taken = new ArrayDeque<>();

  private final Timers timers;
  private final LongSupplier clock;
  private final Thread thread;

  /**
   * Common to all loops of the process, so that their times can be compared; the times are small
   * numbers that do not wrap.
   */
  private static final long ORIGIN_NANOS = System.nanoTime();

  private final ReentrantLock pauseLock = new ReentrantLock();
  private final Condition resumed = pauseLock.newCondition();

  /** Written under {@link #pauseLock}. */
  private volatile boolean paused;

  private volatile boolean stopping;

  private final long maxOfferedBytes;

  /** Requests that wait or run. */
  private final AtomicInteger offeredTasks = new AtomicInteger();

  /** The bytes of these. */
  private final AtomicLong offeredBytes = new AtomicLong();

  /**
   * Creates a loop that runs nothing until {@link #start}.
   *
   * @param maxOfferedBytes beyond this many waiting bytes, applications' requests are refused
   * @param onFailure run on the loop's thread when an exception has ended it
   */
  public EventLoop(String name, long maxOfferedBytes, Timers timers, Runnable onFailure) {
    this(name, maxOfferedBytes, timers, onFailure, () -> System.nanoTime() - ORIGIN_NANOS);
  }

  /**
   * Creates a loop with the caller's clock, who may {@link #runNext} instead of starting it.
   *
   * @param clock in nanoseconds; never goes back
   */
  public EventLoop(
      String name, long maxOfferedBytes, Timers timers, Runnable onFailure, LongSupplier clock) {
    this.maxOfferedBytes = maxOfferedBytes;
    this.timers = timers;
    this.clock = clock;
    thread =
        new Thread(
            () -> {
              try {
                run();
              } catch (RuntimeException | Error broken) {
                // A broken invariant: going on could spread it to other agents.
                log.error("the agent's event loop has failed; the agent stops", broken);
                stopping = true;
                onFailure.run();
              } finally {
                stopping = true;
                refuseRemaining();
              }
            },
            name);
  }

  public void start() {
    thread.start();
  }

  private void run() {
    long nextNanos = timers.nextDeadlineNanos();
    while (!stopping) {
      try {
        take(nextNanos);
        runTaken();
        awaitResumed();
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        return;
      }
      nextNanos = tickIfDue();
    }
  }

  /** Takes the next tasks, as soon as there is one, unless a timer is due before. */
  private void take(long nextNanos) throws InterruptedException {
    if (taken.isEmpty()) {
      long waitNanos = nextNanos - nowNanos();
      Runnable next = waitNanos <= 0 ? tasks.poll() : tasks.poll(waitNanos, TimeUnit.NANOSECONDS);
      if (next != null) {
        taken.add(next);
        tasks.drainTo(taken, BATCH_TASKS - 1);
      }
    }
    awaitResumed();
  }

  /** Runs the taken tasks, as far as timers can wait: to check the timers costs as much as one. */
  private void runTaken() {
    long untilNanos = nowNanos() + BATCH_NANOS;
    while (!taken.isEmpty() && !stopping && !paused) {
      taken.remove().run();
      if (nowNanos() >= untilNanos) {
        return;
      }
    }
  }

  /** Returns when the timers are due next. */
  private long tickIfDue() {
    long nextNanos = timers.nextDeadlineNanos();
    long now = nowNanos();
    if (nextNanos > now) {
      return nextNanos;
    }
    timers.tick(now);
    return timers.nextDeadlineNanos();
  }

  /**
   * Runs the next task, if one waits, and the timers, if they are due, on the calling thread: for a
   * loop that is not started.
   */
  public void runNext() {
    Runnable task = tasks.poll();
    if (task != null) {
      task.run();
    }
    long unused = tickIfDue();
  }

  /** Returns whether a task waits. */
  public boolean hasTasks() {
    return !tasks.isEmpty();
  }

  @Override
  public void execute(Runnable task) {
    if (!stopping) {
      tasks.add(task);
    }
  }

  /** {@link #offer(long, Runnable, Runnable)} for a task that holds no memory to speak of. */
  public void offer(Runnable task, Runnable refused) {
    offer(0, task, refused);
  }

  /**
   * Runs the task as {@link #execute} does; if too much is waiting already, or the loop stops
   * before it comes to it, runs the other one instead, on any thread. A task larger than the limit
   * is accepted when it is the only one with a size.
   *
   * @param bytes the memory that the task holds until it has run
   */
  public void offer(long bytes, Runnable task, Runnable refused) {
    long allBytes = offeredBytes.addAndGet(bytes);
    boolean isTooLarge = allBytes > maxOfferedBytes && allBytes > bytes && bytes > 0;
    boolean areTooMany = offeredTasks.incrementAndGet() > MAX_OFFERED_TASKS;
    Offered offered = new Offered(bytes, task, refused);
    if (isTooLarge || areTooMany) {
      offered.refuse();
      return;
    }
    tasks.add(offered);
    // Added too late to be refused by the loop at its end?
    if (stopping && tasks.remove(offered)) {
      offered.refuse();
    }
  }

  /** Most bytes that may wait. */
  public long maxOfferedBytes() {
    return maxOfferedBytes;
  }

  /** Compared by identity: the same task may be offered twice. */
  private final class Offered implements Runnable {
    private final long bytes;
    private final Runnable task;
    private final Runnable refused;

    Offered(long bytes, Runnable task, Runnable refused) {
      this.bytes = bytes;
      this.task = task;
      this.refused = refused;
    }

    @Override
    public void run() {
      task.run();
      isOver();
    }

    void refuse() {
      isOver();
      refused.run();
    }

    private void isOver() {
      offeredTasks.decrementAndGet();
      offeredBytes.addAndGet(-bytes);
    }
  }

  private void refuseRemaining() {
    tasks.drainTo(taken);
    for (Runnable task = taken.poll(); task != null; task = taken.poll()) {
      if (task instanceof Offered offered) {
        offered.refuse();
      }
    }
  }

  @Override
  public long nowNanos() {
    return clock.getAsLong();
  }

  /**
   * Freezes the loop after the task that runs now, as the scheduler freezes a process that is
   * stopped: nothing runs until {@link #resume} or {@link #stop}, and timers that are due meanwhile
   * run late.
   *
   * @return false if it was frozen already
   */
  public boolean pause() {
    boolean wasRunning = setPaused(true);
    // Wakes a loop that waits for a task.
    tasks.add(() -> {});
    return wasRunning;
  }

  public void resume() {
    setPaused(false);
  }

  public boolean isPaused() {
    return paused;
  }

  /** Sets the state; returns whether that is a change. */
  private boolean setPaused(boolean toBePaused) {
    pauseLock.lock();
    try {
      boolean changes = paused != toBePaused;
      paused = toBePaused;
      resumed.signalAll();
      return changes;
    } finally {
      pauseLock.unlock();
    }
  }

  private void awaitResumed() throws InterruptedException {
    if (!paused) {
      return;
    }
    pauseLock.lock();
    try {
      while (paused) {
        resumed.await();
      }
    } finally {
      pauseLock.unlock();
    }
  }

  public boolean isRunning() {
    return !stopping && thread.isAlive();
  }

  /** Ends after the task that runs now. Waits for it, unless called on the loop itself. */
  public void stop() {
    stopping = true;
    resume();
    if (Thread.currentThread() == thread) {
      return;
    }
    tasks.add(() -> {});
    try {
      thread.join(TimeUnit.SECONDS.toMillis(5));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
