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
 * The messages to send, in the scheduler's order. The scheduler adds messages while a lock is held.
 * One thread at a time sends them without the lock, because sending runs the codecs of the
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

  /** Returns the number of wake-ups so far. Called with the lock. */
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

  /** Sends all queued messages, unless another thread does. Called without the lock. */
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
