package io.treecast.agent.transport.connection;

import java.util.concurrent.atomic.AtomicLong;

/**
 * The times that decide how late the control messages of an agent leave: that of the present event,
 * to which the content of its messages refers, and the waits for the threads of connections. {@link
 * #eventBegins} and {@link #sinceEventNanos} belong to the loop's thread; the rest is thread-safe.
 */
public final class Departures {
  private final AtomicLong longestWaitNanos = new AtomicLong();
  private long eventNanos;

  /** Sets the time of the present event. */
  public void eventBegins(long nowNanos) {
    eventNanos = nowNanos;
  }

  /** Returns the time since the beginning of the present event. */
  public long sinceEventNanos(long nowNanos) {
    return Math.max(0, nowNanos - eventNanos);
  }

  /** Notes that a message waited so long for the thread of its connection. */
  public void waited(long nanos) {
    if (nanos > longestWaitNanos.get()) {
      longestWaitNanos.accumulateAndGet(nanos, Math::max);
    }
  }

  /** Returns the longest wait since the last call; 0 if no message has left. */
  public long takeLongestWaitNanos() {
    return longestWaitNanos.get() == 0 ? 0 : longestWaitNanos.getAndSet(0);
  }
}
