package io.treecast.jobs;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.treecast.client.Codec;
import io.treecast.client.Treecast;
import io.treecast.jobs.schedule.Counts;
import io.treecast.jobs.schedule.JobId;
import io.treecast.jobs.schedule.Outcome;
import io.treecast.jobs.schedule.Scheduler;
import io.treecast.jobs.schedule.Work;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Jobs that members solve together by divide and conquer. Each member that has joined runs tasks;
 * any of them may run a job. A member takes its own newest task, or steals the oldest task of
 * another member: first from its site, and at the same time one task from another site.
 *
 * <pre>{@code
 * Jobs<Board, Long> jobs = Jobs.join(treecast, "queens", new Queens(), boards, counts); // everywhere
 * long solutions = jobs.run(new Board(14)).join();                                      // at one member
 * }</pre>
 *
 * <p>Tasks of a lost member run again, so a task may run more than once; its first result alone is
 * combined. A job ends with the program that runs it. One program at each agent joins a name.
 *
 * <p>A member whose subscriptions fail, for example because its permission is withdrawn, leaves its
 * jobs as if by {@link #close}. So does a member whose client is closed.
 *
 * <p>Safe for use by several threads.
 *
 * @param <T> the type of tasks
 * @param <R> the type of results
 */
public final class Jobs<T, R> implements AutoCloseable {
  /** The maximum size of a name, in bytes of UTF-8. */
  public static final int MAX_NAME_BYTES = 90;

  private final Problem<T, R> problem;
  private final JobWire<T, R> wire;
  private final JobOutbox<T, R> outbox;
  private final Object lock = new Object();
  private final CompletableFuture<String> ready;

  // Guarded by lock.
  private final Scheduler<T, R> scheduler;
  private final Map<JobId, CompletableFuture<R>> running = new HashMap<>();
  private long idleNanos;
  private boolean isClosed;
  private String whyClosed = "";

  /** The tick for which the timer waits. */
  private long awaitedTickNanos = Long.MAX_VALUE;

  private Jobs(
      Treecast treecast,
      String name,
      Problem<T, R> problem,
      JobCodec<T, R> codec,
      JobOptions options) {
    this.problem = problem;
    wire =
        new JobWire<>(
            treecast, "jobs/" + name, codec, options.siteOf(), this::withScheduler, this::leave);
    outbox = new JobOutbox<>(lock, wire, this::complete);
    scheduler = new Scheduler<>(new SplittableRandom().nextLong(), options.workers(), outbox);
    ready = wire.open();
    for (int i = 0; i < options.workers(); i++) {
      start(this::work, "treecast-jobs-" + name + "-" + i);
    }
    start(this::keepTime, "treecast-jobs-" + name + "-timer");
  }

  private static void start(Runnable loop, String name) {
    Thread thread = new Thread(loop, name);
    thread.setDaemon(true);
    thread.start();
  }

  /**
   * Joins with the default options; see {@link #join(Treecast, String, Problem, Codec, Codec,
   * JobOptions)}.
   */
  public static <T, R> Jobs<T, R> join(
      Treecast treecast, String name, Problem<T, R> problem, Codec<T> tasks, Codec<R> results) {
    return join(treecast, name, problem, tasks, results, JobOptions.defaults());
  }

  /**
   * Joins the jobs of a name, and starts the worker threads.
   *
   * @param name the same at all participants; at most 90 bytes of UTF-8, without slashes
   * @param problem the same at all participants
   * @param tasks encodes tasks for other members, in at most 1 MiB each
   * @param results encodes results for other members, in at most 1 MiB each
   * @throws IllegalArgumentException if the name is invalid
   */
  public static <T, R> Jobs<T, R> join(
      Treecast treecast,
      String name,
      Problem<T, R> problem,
      Codec<T> tasks,
      Codec<R> results,
      JobOptions options) {
    Objects.requireNonNull(problem, "problem");
    Objects.requireNonNull(tasks, "tasks");
    Objects.requireNonNull(results, "results");
    int bytes = name.getBytes(UTF_8).length;
    if (bytes == 0 || bytes > MAX_NAME_BYTES || name.contains("/")) {
      throw new IllegalArgumentException(
          "'%s' is not a name of jobs: it has %d bytes of UTF-8; allowed are 1 to %d, without slashes"
              .formatted(name, bytes, MAX_NAME_BYTES));
    }
    return new Jobs<>(treecast, name, problem, new JobCodec<>(tasks, results), options);
  }

  /**
   * Returns a future that completes with the agent's node id when this member can exchange tasks
   * with others. Jobs may be run before; they start with this member's workers.
   */
  public CompletableFuture<String> ready() {
    return ready.copy();
  }

  /**
   * Runs a job.
   *
   * @return its result; fails with a {@link JobFailedException} if a task throws, if its result or
   *     division is invalid, or if these jobs are closed before the end. Completing or cancelling
   *     the future ends the job
   * @throws IllegalStateException if too many jobs run, or this member has left its jobs
   */
  public CompletableFuture<R> run(T task) {
    Objects.requireNonNull(task, "task");
    CompletableFuture<R> result = new CompletableFuture<>();
    JobId[] job = new JobId[1];
    synchronized (lock) {
      if (isClosed) {
        throw new IllegalStateException("these jobs are closed" + whyClosed + "; join again");
      }
      job[0] = scheduler.run(task, System.nanoTime());
      running.put(job[0], result);
      wakeTimer();
    }
    outbox.flush();
    var unused =
        result.whenComplete(
            (value, error) ->
                withScheduler(all -> all.fail(job[0], "the application ended the job")));
    return result;
  }

  /** Returns the counts of events at this member since it joined. */
  public Counts counts() {
    synchronized (lock) {
      return scheduler.counts();
    }
  }

  /** Returns the total time for which workers of this member waited for tasks while a job ran. */
  public long idleNanos() {
    synchronized (lock) {
      return idleNanos;
    }
  }

  /** Calls the scheduler, and then carries out its effects. */
  private void withScheduler(Consumer<Scheduler<T, R>> call) {
    synchronized (lock) {
      if (isClosed) {
        return;
      }
      call.accept(scheduler);
      wakeTimer();
    }
    outbox.flush();
  }

  /** Wakes the timer if the next tick is sooner than it was. */
  private void wakeTimer() {
    if (scheduler.nextTickNanos() < awaitedTickNanos) {
      lock.notifyAll();
    }
  }

  private void complete(JobId job, Outcome<R> outcome) {
    CompletableFuture<R> result;
    synchronized (lock) {
      result = running.remove(job);
    }
    if (result == null) {
      return;
    }
    R value = outcome.result();
    // Completed on another thread, because callbacks of the application may block.
    var unused =
        value != null
            ? result.completeAsync(() -> value)
            : CompletableFuture.runAsync(
                () ->
                    result.completeExceptionally(
                        new JobFailedException(String.valueOf(outcome.error()))));
  }

  private void keepTime() {
    try {
      while (waitForTick()) {
        withScheduler(all -> all.tick(System.nanoTime()));
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private boolean waitForTick() throws InterruptedException {
    clearInterrupt();
    synchronized (lock) {
      while (!isClosed) {
        long nextNanos = scheduler.nextTickNanos();
        long nowNanos = System.nanoTime();
        awaitedTickNanos = nextNanos;
        if (nextNanos <= nowNanos) { // The difference may overflow.
          return true;
        } else if (nextNanos == Long.MAX_VALUE) {
          lock.wait();
        } else {
          lock.wait(1 + TimeUnit.NANOSECONDS.toMillis(nextNanos - nowNanos));
        }
      }
      return false;
    }
  }

  private void work() {
    try {
      Work<T, R> next = next();
      while (next != null) {
        run(next);
        next = next();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** Waits for work; null if these jobs are closed. */
  private @Nullable Work<T, R> next() throws InterruptedException {
    clearInterrupt();
    while (true) {
      long seenWakes;
      boolean isIdle;
      synchronized (lock) {
        if (isClosed) {
          return null;
        }
        Work<T, R> next = scheduler.next(System.nanoTime());
        wakeTimer(); // The last task leaves room for a steal.
        if (next != null) {
          return next;
        }
        seenWakes = outbox.wakes();
        isIdle = scheduler.isJobRunning();
      }
      outbox.flush();
      clearInterrupt();
      synchronized (lock) {
        long sinceNanos = System.nanoTime();
        outbox.awaitWake(seenWakes, () -> isClosed);
        if (isIdle) {
          idleNanos += System.nanoTime() - sinceNanos;
        }
      }
    }
  }

  /** Clears an interrupt that the application's code has left; it was for that code. */
  private static void clearInterrupt() {
    boolean unused = Thread.interrupted();
  }

  private void run(Work<T, R> work) {
    try {
      withScheduler(ended(work));
    } catch (Throwable e) { // The job fails; the worker continues.
      String error = "task %s failed at member %s: %s".formatted(work.task(), wire.self(), e);
      withScheduler(all -> all.failed(work, error, System.nanoTime()));
    }
  }

  /** Does the work, and returns the report of its end to the scheduler. */
  private Consumer<Scheduler<T, R>> ended(Work<T, R> work) throws Exception {
    List<R> results = work.results();
    Incumbent best = new SharedBest(work);
    T task = work.task();
    if (results == null && !problem.isSmall(task, best)) {
      List<T> children = List.copyOf(problem.divide(task));
      return all -> all.divided(work, children, System.nanoTime());
    }
    R result = results == null ? problem.solve(task, best) : problem.combine(task, results);
    Objects.requireNonNull(result, "the result");
    return all -> all.solved(work, result, System.nanoTime());
  }

  /** The best value of the job to which a piece of work belongs. */
  private final class SharedBest implements Incumbent {
    private final Work<T, R> work;

    private SharedBest(Work<T, R> work) {
      this.work = work;
    }

    @Override
    public long value() {
      return work.best().value();
    }

    @Override
    public void offer(long value) {
      if (value < value()) {
        withScheduler(all -> all.offer(work.job(), value, System.nanoTime()));
      }
    }
  }

  /**
   * Leaves the jobs. Jobs run by this member fail; its tasks run elsewhere. Does not wait for
   * tasks: each worker ends after its present task.
   */
  @Override
  public void close() {
    leave("");
  }

  /** Leaves the jobs, unless this member has left already; an empty reason is the application's. */
  private void leave(String reason) {
    synchronized (lock) {
      if (isClosed) {
        return;
      }
      whyClosed = reason.isEmpty() ? "" : ": " + reason;
      for (JobId job : running.keySet()) {
        scheduler.fail(job, "the member that ran the job has left its jobs" + whyClosed);
      }
      isClosed = true;
      lock.notifyAll();
    }
    outbox.flush();
    wire.close();
  }
}
