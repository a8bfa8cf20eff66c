package io.treecast.client;

import io.treecast.client.TreecastException.Reason;
import java.time.Duration;
import java.util.Iterator;
import java.util.NoSuchElementException;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * Iterates over the events of a subscription. Holds one event; the agent's stream waits until it is
 * fetched. Like other subscriptions, it survives a lost connection.
 *
 * <p>For use by one thread at a time; any thread may call {@link #close}.
 *
 * @param <T> {@link Message} or {@link TreeView}
 */
public final class EventIterator<T> implements Iterator<T>, AutoCloseable {
  private final AgentAddresses agent;
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition changed = lock.newCondition();

  // Guarded by the lock. Either an event or a notice is pending, never both.
  private @Nullable T event;
  private @Nullable Runnable notice;
  private @Nullable Subscription subscription;
  private boolean ended;
  private @Nullable TreecastException failure;

  /** Creates the iterator of a subscription to this agent. */
  EventIterator(AgentAddresses agent) {
    this.agent = agent;
  }

  /**
   * Waits for the next event, without a timeout.
   *
   * @return false when the subscription, or its client, was closed
   * @throws TreecastException if the subscription failed, with the reason; {@code INTERRUPTED} if
   *     the thread is interrupted while it waits
   */
  @Override
  public boolean hasNext() {
    return available(Long.MAX_VALUE);
  }

  /**
   * Waits for the next event, without a timeout, and takes it.
   *
   * @throws NoSuchElementException when the subscription, or its client, was closed
   * @throws TreecastException as {@link #hasNext} does
   */
  @Override
  public T next() {
    T taken = available(Long.MAX_VALUE) ? take() : null;
    if (taken == null) {
      throw new NoSuchElementException("the subscription was closed");
    }
    return taken;
  }

  /**
   * Waits for the next event, up to a timeout, and takes it.
   *
   * @return null at the timeout, or if the subscription, or its client, was closed
   * @throws TreecastException as {@link #hasNext} does
   */
  public @Nullable T poll(Duration limit) {
    // A limit that overflows in nanoseconds becomes the maximum.
    return available(TimeUnit.NANOSECONDS.convert(Objects.requireNonNull(limit, "limit")))
        ? take()
        : null;
  }

  /**
   * Ends the subscription; an event that was not fetched is dropped. Further calls have no effect.
   */
  @Override
  public void close() {
    end(null);
    subscription().close();
  }

  /**
   * Hands over an event. Runs on the handler's thread, and waits until the previous event was
   * fetched.
   */
  void offer(T next) {
    lock.lock();
    try {
      awaitRoom();
      if (!ended) {
        event = next;
        changed.signalAll();
      }
    } finally {
      lock.unlock();
    }
  }

  /**
   * Hands over a notice, as {@link #offer} does with an event; the fetching thread runs it between
   * two events.
   */
  void offerNotice(Runnable next) {
    lock.lock();
    try {
      awaitRoom();
      if (!ended) {
        notice = next;
        changed.signalAll();
      }
    } finally {
      lock.unlock();
    }
  }

  private void awaitRoom() {
    while ((event != null || notice != null) && !ended) {
      changed.awaitUninterruptibly();
    }
  }

  /** Attaches the subscription that offers events; called once, before the first use. */
  void attach(ReconnectingStream<?, ?> source) {
    lock.lock();
    try {
      subscription = source;
    } finally {
      lock.unlock();
    }
    // The handler may wait here for a fetch that never comes, so closing must not wait for the
    // handler.
    source.onClose(() -> end(null));
    var unused = source.ownDone().whenComplete((nothing, error) -> end(error));
  }

  Subscription subscription() {
    lock.lock();
    try {
      if (subscription == null) {
        throw new IllegalStateException("no subscription is attached");
      }
      return subscription;
    } finally {
      lock.unlock();
    }
  }

  private void end(@Nullable Throwable error) {
    lock.lock();
    try {
      if (ended) {
        return;
      }
      ended = true;
      if (error == null) {
        event = null;
        notice = null;
      } else {
        failure =
            error instanceof TreecastException e
                ? e
                : new TreecastException(Reason.CLOSED, "the subscription ended", error);
      }
      changed.signalAll();
    } finally {
      lock.unlock();
    }
  }

  /**
   * Runs notices, and waits up to the limit for an event. Returns whether there is one. Events that
   * precede a failure are fetched first.
   */
  private boolean available(long limitNanos) {
    long leftNanos = limitNanos;
    while (true) {
      Runnable due;
      lock.lock();
      try {
        while (event == null && notice == null && !ended && leftNanos > 0) {
          leftNanos = changed.awaitNanos(leftNanos);
        }
        due = notice;
        if (due == null) {
          if (event == null && failure != null) {
            throw failure.rethrown();
          }
          return event != null;
        }
        notice = null;
        changed.signalAll();
      } catch (InterruptedException e) {
        throw BlockingTreecast.interrupted(
            e,
            "the next event from agent "
                + agent
                + ": nothing is lost, fetch again or close the subscription");
      } finally {
        lock.unlock();
      }
      due.run(); // Without the lock, because it is code of the application.
    }
  }

  /** Takes the event, unless the iterator was closed meanwhile. */
  private @Nullable T take() {
    lock.lock();
    try {
      T taken = event;
      event = null;
      changed.signalAll();
      return taken;
    } finally {
      lock.unlock();
    }
  }
}
