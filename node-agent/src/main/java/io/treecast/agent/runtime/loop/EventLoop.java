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
 * The single thread that drives an agent's core: it runs tasks in order, and the core's timers when
 * they are due.
 *
 * <p>The network's flow control bounds the tasks of the network. Requests of applications go
 * through {@link #offer}, which limits their number and size.
 */
public final class EventLoop implements Loop {
  /** The limit of pending requests of applications; further ones are refused. */
  public static final int MAX_OFFERED_TASKS = 65_536;

  /** The limit of tasks that run before the timers are checked again. */
  static final int BATCH_TASKS = 64;

  /** A due timer waits for queued tasks at most this long, plus the duration of one task. */
  static final long BATCH_NANOS = 1_000_000;

  private static final Logger log = LoggerFactory.getLogger(EventLoop.class);

  /** The core's timers. */
  public interface Timers {
    long nextDeadlineNanos();

    void tick(long nowNanos);
  }

  private final LinkedBlockingQueue<Runnable> tasks = new LinkedBlockingQueue<>();

  /** Tasks taken from the queue in one batch. For the loop's thread. */
  private final ArrayDeque<Runnable> taken = new ArrayDeque<>();

  private final Timers timers;
  private final LongSupplier clock;
  private final Thread thread;

  /**
   * The origin of {@link #nowNanos}, common to all loops of the process, so that their times are
   * comparable. The times are small numbers that do not wrap.
   */
  private static final long ORIGIN_NANOS = System.nanoTime();

  private final ReentrantLock pauseLock = new ReentrantLock();
  private final Condition resumed = pauseLock.newCondition();

  /** Written under {@link #pauseLock}. */
  private volatile boolean paused;

  private volatile boolean stopping;

  private final long maxOfferedBytes;

  /** The number of requests that are queued or run. */
  private final AtomicInteger offeredTasks = new AtomicInteger();

  /** The bytes of these requests. */
  private final AtomicLong offeredBytes = new AtomicLong();

  /**
   * Creates a loop that runs nothing until {@link #start}.
   *
   * @param maxOfferedBytes the limit of queued bytes, beyond which requests of applications are
   *     refused
   * @param onFailure runs on the loop's thread after an exception has ended it
   */
  public EventLoop(String name, long maxOfferedBytes, Timers timers, Runnable onFailure) {
    this(name, maxOfferedBytes, timers, onFailure, () -> System.nanoTime() - ORIGIN_NANOS);
  }

  /**
   * Creates a loop with a clock of the caller, which may call {@link #runNext} instead of {@link
   * #start}.
   *
   * @param clock the time in nanoseconds; never goes back
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
                // A broken invariant: continuing could spread it to other agents.
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

  /** Takes the queued tasks; waits for one until the next timer is due. */
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

  /**
   * Runs the taken tasks until a timer may be due. A check of the timers costs about as much as a
   * task.
   */
  private void runTaken() {
    long untilNanos = nowNanos() + BATCH_NANOS;
    while (!taken.isEmpty() && !stopping && !paused) {
      taken.remove().run();
      if (nowNanos() >= untilNanos) {
        return;
      }
    }
  }

  /** Runs the timers if they are due. Returns when they are due next. */
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
   * Runs the next task, if there is one, and the timers, if they are due, on the calling thread.
   * For a loop that was not started.
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

  /** Like {@link #offer(long, Runnable, Runnable)}, for a task that holds little memory. */
  public void offer(Runnable task, Runnable refused) {
    offer(0, task, refused);
  }

  /**
   * Runs the task like {@link #execute}. If too much is queued, or the loop stops before the task's
   * turn, runs {@code refused} instead, on any thread. A task larger than the limit is accepted if
   * no other task with a size is queued.
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
    // The loop may have stopped before this task was queued, and so not have refused it.
    if (stopping && tasks.remove(offered)) {
      offered.refuse();
    }
  }

  /** Returns the limit of queued bytes. */
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
   * Freezes the loop after the current task, as the scheduler freezes a stopped process: nothing
   * runs until {@link #resume} or {@link #stop}, and timers that fall due meanwhile run late.
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

  /** Ends the loop after the current task. Waits for that, unless called on the loop itself. */
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
