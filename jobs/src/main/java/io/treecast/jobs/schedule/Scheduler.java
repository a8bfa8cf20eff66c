package io.treecast.jobs.schedule;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * The scheduler of one member: its queue of tasks, the tasks that it holds for lenders or has lent,
 * and the jobs that it knows. Workers take the newest task, thieves the oldest. Not safe for use by
 * several threads.
 *
 * <p>A member owes the outcome of each stolen task to its lender. The lender takes a task back when
 * its thief leaves or does not renew the loan, and counts only the first outcome. The owner of a
 * job announces it while it runs; members forget a job without announcements.
 *
 * @param <T> the type of tasks
 * @param <R> the type of results
 */
public final class Scheduler<T, R> {
  /** The maximum number of members of a job. */
  public static final int MAX_MEMBERS = 1_000;

  /** The maximum number of jobs that a member knows at a time. */
  public static final int MAX_JOBS = 100;

  /**
   * The maximum number of tasks that a member holds for lenders; at this limit it does not steal.
   */
  public static final int MAX_HELD = 1_000;

  /** The maximum number of divisions between a job's first task and any other. */
  public static final int MAX_DEPTH = 1_000;

  /** The maximum number of tasks into which a task is divided. */
  public static final int MAX_CHILDREN = 10_000;

  /** The interval at which a job is announced and a loan is renewed. */
  public static final long BEAT_NANOS = 2_000_000_000L;

  /** The silence after which a thief, lender or owner counts as lost. */
  public static final long SILENCE_NANOS = 10_000_000_000L;

  /** The least interval between two announcements of one kind. */
  static final long PAUSE_NANOS = 20_000_000L;

  /** The delay before an outcome that did not reach the lender is sent again. */
  private static final long RETRY_NANOS = 1_000_000_000L;

  /** The interval at which timeouts are checked. */
  private static final long CHECK_NANOS = 250_000_000L;

  private final long incarnation;
  private final int workers;
  private final Effects<R> effects;
  private final Victims victims;
  private final Tally tally = new Tally();

  private final SortedMap<JobId, KnownJob> jobs = new TreeMap<>();
  private final List<Held<R>> held = new ArrayList<>();
  private final SortedMap<Long, Loan<T, R>> loans = new TreeMap<>();

  private final TaskQueue<T, R> queue = new TaskQueue<>();

  private long lastJob;
  private long lastLoan;
  private int busyWorkers;
  private long nextCheckNanos = Long.MIN_VALUE;
  private long renewedNanos;

  /**
   * Creates the scheduler of a member that takes part in no job.
   *
   * @param incarnation a random number that no other scheduler has
   * @param workers the number of threads that call {@link #next}
   */
  public Scheduler(long incarnation, int workers, Effects<R> effects) {
    this.incarnation = incarnation;
    this.workers = workers;
    this.effects = effects;
    this.victims = new Victims(incarnation);
  }

  // ---- the application

  /**
   * Runs a job.
   *
   * @throws IllegalStateException if too many jobs run
   */
  public JobId run(T task, long nowNanos) {
    if (jobs.size() >= MAX_JOBS) {
      throw new IllegalStateException(
          MAX_JOBS + " jobs run already; wait for one of them before the next");
    }
    lastJob++;
    JobId id = new JobId(incarnation, lastJob);
    KnownJob job = new KnownJob(id, true, nowNanos);
    jobs.put(id, job);
    Held<R> own = new Held<>(job, null, null, nowNanos);
    held.add(own);
    queue.addNewest(Task.first(own, task, 0));
    announce(job, nowNanos);
    effects.wakeWorkers();
    nextCheckNanos = Long.MIN_VALUE;
    return id;
  }

  /** Fails a job that this member runs; no effect if it has ended. */
  public void fail(JobId id, String error) {
    for (Held<R> each : List.copyOf(held)) {
      if (each.lender == null && each.job.id.equals(id)) {
        settle(each, Outcome.failure(error));
      }
    }
  }

  // ---- the network

  /**
   * Sets the members that can be reached, with the site of each.
   *
   * @param self this member
   */
  public void present(String self, SortedMap<String, String> siteOf, long nowNanos) {
    victims.present(self, siteOf);
    for (Loan<T, R> loan : List.copyOf(loans.values())) {
      if (!victims.isPresent(loan.thief)) {
        takeBack(loan);
      }
    }
    tick(nowNanos);
  }

  /** Handles an announcement of another member. */
  public void announced(String from, Announcement announcement, long nowNanos) {
    KnownJob job = jobs.get(announcement.job());
    if (announcement instanceof Announcement.Running running) {
      if (job == null) {
        job = learn(running.job(), nowNanos);
      }
      if (job != null && !job.isOwn && !job.isOver) {
        job.heardNanos = nowNanos;
        job.best.improve(running.best());
        job.members = new TreeSet<>(running.members());
        job.members.add(from);
        effects.request(from, new Request.Join<>(job.id));
      }
    } else if (job != null && !job.isOver) {
      if (announcement instanceof Announcement.Improved improved) {
        job.best.improve(improved.best());
      } else if (!job.isOwn) {
        job.isOver = true;
        job.heardNanos = nowNanos;
        dropHeld(job);
      }
    }
    tick(nowNanos);
  }

  /** Adds an unknown job and returns it; null if there is no room for it. */
  private @Nullable KnownJob learn(JobId id, long nowNanos) {
    if (jobs.size() >= MAX_JOBS || id.incarnation() == incarnation) {
      return null;
    }
    KnownJob job = new KnownJob(id, false, nowNanos);
    jobs.put(id, job);
    victims.expectTasks();
    nextCheckNanos = Long.MIN_VALUE;
    return job;
  }

  /**
   * Handles a request of another member, and returns the reply; that to {@link Request.Join} is not
   * sent.
   */
  public Reply<T> answer(String from, Request<R> request, long nowNanos) {
    if (request instanceof Request.Steal) {
      return lend(from, nowNanos);
    }
    if (request instanceof Request.Join<R> join) {
      welcome(from, jobs.get(join.job()), nowNanos);
      return new Reply.NoTask<>();
    }
    if (request instanceof Request.Deliver<R> delivery) {
      delivered(delivery);
      return new Reply.Acknowledged<>(List.of());
    }
    return renew(from, (Request.Renew<R>) request, nowNanos);
  }

  private Reply<T> lend(String thief, long nowNanos) {
    Task<T, R> oldest = queue.pollOldest();
    if (oldest == null) {
      return new Reply.NoTask<>();
    }
    forgetLoan(oldest);
    lastLoan++;
    Loan<T, R> loan = new Loan<>(lastLoan, oldest, thief, nowNanos);
    oldest.loan = loan;
    loans.put(lastLoan, loan);
    tally.lent++;
    KnownJob job = oldest.held.job;
    LoanId id = new LoanId(incarnation, lastLoan);
    return new Reply.Lent<>(job.id, id, oldest.value, oldest.depth, job.best.value());
  }

  private void welcome(String member, @Nullable KnownJob job, long nowNanos) {
    if (job == null || !job.isOwn || job.isOver) {
      return;
    }
    if (job.participants.containsKey(member) || job.participants.size() < MAX_MEMBERS) {
      job.hasNewMembers |= job.participants.put(member, nowNanos) == null;
      announceNews(job, nowNanos);
    }
  }

  private void delivered(Request.Deliver<R> delivery) {
    Loan<T, R> loan = find(delivery.loan());
    if (loan == null || loan.task.isObsolete()) {
      tally.duplicates++;
      return;
    }
    finish(loan.task, delivery.outcome());
  }

  private @Nullable Loan<T, R> find(LoanId id) {
    return id.incarnation() == incarnation ? loans.get(id.number()) : null;
  }

  private Reply<T> renew(String thief, Request.Renew<R> request, long nowNanos) {
    List<LoanId> obsolete = new ArrayList<>();
    for (LoanId id : request.loans()) {
      Loan<T, R> loan = find(id);
      if (loan == null || loan.task.isObsolete()) {
        obsolete.add(id);
      } else {
        loan.renewedNanos = nowNanos;
        loan.thief = thief;
      }
    }
    return new Reply.Acknowledged<>(obsolete);
  }

  /**
   * Handles the reply to a request, or its absence.
   *
   * @param reply null if the request timed out, or the member left
   */
  public void answered(String member, Request<R> request, @Nullable Reply<T> reply, long nowNanos) {
    if (request instanceof Request.Steal) {
      stolen(member, reply, nowNanos);
    } else if (request instanceof Request.Deliver<R> delivery) {
      if (reply instanceof Reply.Acknowledged) {
        held.removeIf(each -> delivery.loan().equals(each.loan));
      } else {
        deliverLater(delivery.loan(), nowNanos + RETRY_NANOS);
      }
    } else if (request instanceof Request.Renew<R> renewal
        && reply instanceof Reply.Acknowledged<T> acknowledged) {
      renewed(renewal, acknowledged, nowNanos);
    }
    tick(nowNanos);
  }

  private void stolen(String victim, @Nullable Reply<T> reply, long nowNanos) {
    if (!(reply instanceof Reply.Lent<T> lent)) {
      Victims.Result result = reply == null ? Victims.Result.NO_ANSWER : Victims.Result.NO_TASK;
      victims.ended(victim, result, nowNanos);
      return;
    }
    boolean isNear = victims.ended(victim, Victims.Result.STOLEN, nowNanos);
    KnownJob job = jobs.get(lent.job());
    if (job == null) {
      job = learn(lent.job(), nowNanos);
    }
    if (job == null || job.isOver) {
      return; // The lender takes the task back, or has forgotten it.
    }
    tally.stolen(isNear);
    job.best.improve(lent.best());
    Held<R> stolen = new Held<>(job, victim, lent.loan(), nowNanos);
    held.add(stolen);
    queue.addNewest(Task.first(stolen, lent.task(), lent.depth()));
    effects.wakeWorkers();
  }

  private void deliverLater(LoanId loan, long atNanos) {
    for (Held<R> each : held) {
      if (loan.equals(each.loan)) {
        each.nextDeliveryNanos = atNanos;
      }
    }
  }

  private void renewed(
      Request.Renew<R> renewal, Reply.Acknowledged<T> acknowledged, long nowNanos) {
    for (Held<R> each : List.copyOf(held)) {
      if (each.loan != null && acknowledged.obsolete().contains(each.loan)) {
        drop(each);
      } else if (each.loan != null && renewal.loans().contains(each.loan)) {
        each.renewedNanos = nowNanos;
      }
    }
  }

  // ---- workers

  /** Returns the next work for a worker; null if the worker must wait until it is woken. */
  public @Nullable Work<T, R> next(long nowNanos) {
    Task<T, R> combined = queue.pollComplete();
    if (combined != null) {
      busyWorkers++;
      return new Work<>(combined, combined.results());
    }
    Task<T, R> newest = queue.pollNewest();
    if (newest == null) {
      steal(nowNanos);
      return null;
    }
    busyWorkers++;
    return new Work<>(newest, null);
  }

  /** Notes that a worker has divided a task. */
  public void divided(Work<T, R> work, List<T> values, long nowNanos) {
    Task<T, R> task = work.of;
    if (values.size() > MAX_CHILDREN || (task.depth >= MAX_DEPTH && !values.isEmpty())) {
      String error =
          "a task at depth %d was divided into %d tasks; allowed are %d, down to depth %d"
              .formatted(task.depth, values.size(), MAX_CHILDREN, MAX_DEPTH);
      failed(work, error, nowNanos);
      return;
    }
    busyWorkers--;
    tally.divided++;
    List<Task<T, R>> children = task.divide(values);
    if (children.isEmpty()) {
      queue.addComplete(task);
    } else {
      // The first child is the newest task, so a member without thieves runs the children in order.
      for (int i = children.size() - 1; i >= 0; i--) {
        queue.addNewest(children.get(i));
      }
    }
    effects.wakeWorkers();
    tick(nowNanos);
  }

  /** Notes that a worker has solved a task, or combined the results of its children. */
  public void solved(Work<T, R> work, R result, long nowNanos) {
    busyWorkers--;
    if (work.results() == null) {
      tally.solved++;
    }
    end(work.of, Outcome.of(result), nowNanos);
  }

  /** Notes that a worker could not run a task; its job fails. */
  public void failed(Work<T, R> work, String error, long nowNanos) {
    busyWorkers--;
    end(work.of, Outcome.failure(error), nowNanos);
  }

  private void end(Task<T, R> task, Outcome<R> outcome, long nowNanos) {
    if (task.isObsolete()) {
      tally.duplicates++;
    } else {
      finish(task, outcome);
    }
    tick(nowNanos);
  }

  /** Notes that a worker has found a solution with this value. */
  public void offer(JobId id, long value, long nowNanos) {
    KnownJob job = jobs.get(id);
    if (job != null && !job.isOver && job.best.improve(value)) {
      job.hasNewBest = true;
      announceNews(job, nowNanos);
    }
  }

  /**
   * Fails the job of a message that could not be encoded.
   *
   * @param loan the loan of the task in a reply, or of the outcome in a request
   */
  public void unsendable(LoanId loan, String error) {
    Loan<T, R> lent = find(loan);
    if (lent != null && !lent.task.isObsolete()) {
      finish(lent.task, Outcome.failure(error));
    }
    for (Held<R> each : List.copyOf(held)) {
      if (loan.equals(each.loan)) {
        settle(each, Outcome.failure(error));
      }
    }
  }

  // ---- outcomes

  /** Counts the first outcome of a task. */
  private void finish(Task<T, R> task, Outcome<R> outcome) {
    forgetLoan(task);
    task.hasOutcome();
    R result = outcome.result();
    Task<T, R> parent = task.parent;
    if (parent == null || result == null) {
      settle(task.held, outcome);
    } else if (parent.take(task, result)) {
      queue.addComplete(parent);
      effects.wakeWorkers();
    }
  }

  /** Ends a held task: completes the job of this member, or delivers the outcome to the lender. */
  private void settle(Held<R> settled, Outcome<R> outcome) {
    settled.isOver = true;
    settled.outcome = outcome;
    if (settled.lender == null) {
      held.remove(settled);
      settled.job.isOver = true;
      jobs.remove(settled.job.id);
      effects.announce(new Announcement.Ended(settled.job.id));
      effects.complete(settled.job.id, outcome);
    } else {
      deliver(settled);
    }
  }

  private void deliver(Held<R> settled) {
    Outcome<R> outcome = Objects.requireNonNull(settled.outcome);
    settled.nextDeliveryNanos = Long.MAX_VALUE; // Set again if the lender does not reply.
    effects.request(
        Objects.requireNonNull(settled.lender),
        new Request.Deliver<>(Objects.requireNonNull(settled.loan), outcome));
  }

  private void forgetLoan(Task<T, R> task) {
    if (task.loan != null) {
      loans.remove(task.loan.number);
      task.loan = null;
    }
  }

  private void takeBack(Loan<T, R> loan) {
    if (loan.task.isObsolete()) {
      forgetLoan(loan.task);
    } else if (!loan.isTakenBack) {
      loan.isTakenBack = true;
      tally.rerun++;
      queue.addOldest(loan.task);
      effects.wakeWorkers();
    }
  }

  private void drop(Held<R> dropped) {
    dropped.isOver = true;
    held.remove(dropped);
  }

  private void dropHeld(KnownJob job) {
    for (Held<R> each : List.copyOf(held)) {
      if (each.job == job) {
        drop(each);
      }
    }
  }

  // ---- time

  /** Does the work that is due by now. */
  public void tick(long nowNanos) {
    if (nowNanos >= nextCheckNanos) {
      nextCheckNanos = nowNanos + CHECK_NANOS;
      check(nowNanos);
    }
    for (KnownJob job : jobs.values()) {
      announceNews(job, nowNanos);
    }
    steal(nowNanos);
  }

  /** Returns the time at which {@link #tick} must be called, unless another event comes first. */
  public long nextTickNanos() {
    if (jobs.isEmpty() && held.isEmpty() && loans.isEmpty()) {
      return Long.MAX_VALUE;
    }
    long next = nextCheckNanos;
    for (KnownJob job : jobs.values()) {
      if (job.hasNewMembers) {
        next = Math.min(next, job.announcedNanos + PAUSE_NANOS);
      }
      if (job.hasNewBest) {
        next = Math.min(next, job.bestToldNanos + PAUSE_NANOS);
      }
    }
    return isHungry() ? Math.min(next, victims.nextNanos()) : next;
  }

  private void check(long nowNanos) {
    for (Loan<T, R> loan : List.copyOf(loans.values())) {
      if (loan.task.isObsolete() || nowNanos - loan.renewedNanos >= SILENCE_NANOS) {
        takeBack(loan);
      }
    }
    for (Held<R> each : List.copyOf(held)) {
      if (each.lender != null && nowNanos - each.renewedNanos >= SILENCE_NANOS) {
        drop(each);
      } else if (each.outcome != null && nowNanos >= each.nextDeliveryNanos) {
        deliver(each);
      }
    }
    for (KnownJob job : List.copyOf(jobs.values())) {
      if (job.isOwn) {
        job.participants.values().removeIf(heard -> nowNanos - heard >= SILENCE_NANOS);
        if (nowNanos - job.announcedNanos >= BEAT_NANOS) {
          announce(job, nowNanos);
        }
      } else if (nowNanos - job.heardNanos >= SILENCE_NANOS) {
        dropHeld(job);
        jobs.remove(job.id);
      }
    }
    if (nowNanos - renewedNanos >= BEAT_NANOS) {
      renewedNanos = nowNanos;
      renewHeld();
    }
    queue.dropObsolete();
  }

  private void renewHeld() {
    SortedMap<String, List<LoanId>> byLender = new TreeMap<>();
    for (Held<R> each : held) {
      if (each.lender != null && each.loan != null) {
        byLender.computeIfAbsent(each.lender, lender -> new ArrayList<>()).add(each.loan);
      }
    }
    byLender.forEach((lender, all) -> effects.request(lender, new Request.Renew<>(all)));
  }

  private void announceNews(KnownJob job, long nowNanos) {
    if (job.hasNewMembers && nowNanos - job.announcedNanos >= PAUSE_NANOS) {
      announce(job, nowNanos);
    }
    if (job.hasNewBest && nowNanos - job.bestToldNanos >= PAUSE_NANOS) {
      job.hasNewBest = false;
      job.bestToldNanos = nowNanos;
      effects.announce(new Announcement.Improved(job.id, job.best.value()));
    }
  }

  private void announce(KnownJob job, long nowNanos) {
    job.hasNewMembers = false;
    job.announcedNanos = nowNanos;
    effects.announce(
        new Announcement.Running(
            job.id, new TreeSet<>(job.participants.keySet()), job.best.value()));
  }

  // ---- steals

  /** Returns whether a worker is idle, and this member may hold another task. */
  private boolean isHungry() {
    return busyWorkers < workers && queue.isEmpty() && held.size() < MAX_HELD && isJobRunning();
  }

  private void steal(long nowNanos) {
    if (isHungry()) {
      steal(true, nowNanos);
      steal(false, nowNanos);
    }
  }

  private void steal(boolean isNear, long nowNanos) {
    TreeSet<String> members = new TreeSet<>();
    for (KnownJob job : jobs.values()) {
      if (!job.isOver) {
        members.addAll(job.victims());
      }
    }
    String victim = victims.choose(isNear, members, nowNanos);
    if (victim != null) {
      tally.attempted(isNear);
      effects.request(victim, new Request.Steal<>());
    }
  }

  /** Returns whether a known job runs somewhere. */
  public boolean isJobRunning() {
    return jobs.values().stream().anyMatch(job -> !job.isOver);
  }

  /** Returns the counts of events since the scheduler was created. */
  public Counts counts() {
    return tally.counts(queue.longest());
  }

  /** Returns whether it knows no job, has no tasks and owes no outcome. */
  public boolean isAtRest() {
    return jobs.isEmpty() && held.isEmpty() && loans.isEmpty() && queue.isEmpty();
  }
}
