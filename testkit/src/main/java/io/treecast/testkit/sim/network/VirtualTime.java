package io.treecast.testkit.sim.network;

import java.util.PriorityQueue;

/**
 * Events in the order of virtual time; those that are due at the same nanosecond happen in the
 * order in which they were added. One thread.
 */
public final class VirtualTime {
  private record Event(long dueNanos, long number, Runnable action) implements Comparable<Event> {
    @Override
    public int compareTo(Event other) {
      int byTime = Long.compare(dueNanos, other.dueNanos);
      return byTime != 0 ? byTime : Long.compare(number, other.number);
    }
  }

  private final PriorityQueue<Event> events = new PriorityQueue<>();
  private long nowNanos;
  private long lastNumber;

  public long nowNanos() {
    return nowNanos;
  }

  public void at(long dueNanos, Runnable action) {
    events.add(new Event(Math.max(dueNanos, nowNanos), ++lastNumber, action));
  }

  public void after(long delayNanos, Runnable action) {
    at(nowNanos + delayNanos, action);
  }

  /** Lets the next event happen; false if there is none up to that time, which then is the time. */
  public boolean step(long untilNanos) {
    Event next = events.peek();
    if (next == null || next.dueNanos > untilNanos) {
      nowNanos = Math.max(nowNanos, untilNanos);
      return false;
    }
    events.remove();
    nowNanos = next.dueNanos;
    next.action.run();
    return true;
  }
}
