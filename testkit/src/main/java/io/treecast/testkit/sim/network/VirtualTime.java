package io.treecast.testkit.sim.network;

import java.util.PriorityQueue;

/**
 * Queue of events in the order of virtual time; events of the same nanosecond run in the order of
 * insertion. Single-threaded.
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

  /** Runs the next event. If none is due up to a time, advances to that time and returns false. */
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
