package io.treecast.jobs;

import io.treecast.jobs.schedule.Announcement;
import io.treecast.jobs.schedule.Effects;
import io.treecast.jobs.schedule.JobId;
import io.treecast.jobs.schedule.Outcome;
import io.treecast.jobs.schedule.Request;
import java.util.ArrayDeque;
import java.util.function.BiConsumer;
import java.util.function.BooleanSupplier;

/**
 * The messages that the scheduler wants to send, in its order. The scheduler fills it while a lock
 * is held; one thread at a time empties it without the lock, since sending runs the codecs of the
 * application.
 */
final class JobOutbox<T, R> implements Effects<R> {
  private final Object lock;
  private final JobWire<T, R> wire;
  private final BiConsumer<JobId, Outcome<R>> completion;

  // Guarded by lock.
  private final ArrayDeque<Runnable> waiting = new ArrayDeque<>();
  private boolean isFlushing;
  private long wakes;
  private int waitingWorkers;

  JobOutbox(Object lock, JobWire<T, R> wire, BiConsumer<JobId, Outcome<R>> completion) {
    this.lock = lock;
    this.wire = wire;
    this.completion = completion;
  }

  /** Called with the lock. */
  long wakes() {
    return wakes;
  }

  /** Waits until workers have been woken more often. Called with the lock. */
  void awaitWake(long seenWakes, BooleanSupplier isOver) throws InterruptedException {
    waitingWorkers++;
    try {
      while (wakes == seenWakes && !isOver.getAsBoolean()) {
        lock.wait();
      }
    } finally {
      waitingWorkers--;
    }
  }

  /** Does all that waits, unless another thread does. Called without the lock. */
  void flush() {
    while (true) {
      Runnable next;
      synchronized (lock) {
        next = isFlushing ? null : waiting.poll();
        isFlushing |= next != null;
      }
      if (next == null) {
        return;
      }
      try {
        next.run();
      } finally {
        synchronized (lock) {
          isFlushing = false;
        }
      }
    }
  }

  @Override
  public void announce(Announcement announcement) {
    waiting.add(() -> wire.announce(announcement));
  }

  @Override
  public void request(String member, Request<R> request) {
    waiting.add(() -> wire.request(member, request));
  }

  @Override
  public void complete(JobId job, Outcome<R> outcome) {
    waiting.add(() -> completion.accept(job, outcome));
  }

  @Override
  public void wakeWorkers() {
    wakes++;
    if (waitingWorkers > 0) {
      lock.notifyAll();
    }
  }
}
