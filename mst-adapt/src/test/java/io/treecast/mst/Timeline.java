package io.treecast.mst;

import java.util.Comparator;
import java.util.PriorityQueue;

/** Events of a simulated network at given virtual times, between its deliveries. */
final class Timeline {
  private final Network network;
  private final TimedMedium medium;
  private final PriorityQueue<Event> events =
      new PriorityQueue<>(Comparator.comparingLong(Event::atMicros).thenComparing(Event::number));
  private int number;

  private record Event(long atMicros, int number, Runnable action) {}

  Timeline(Network network, TimedMedium medium) {
    this.network = network;
    this.medium = medium;
  }

  /**
   * Schedules an event at a virtual time. Events at the same time happen in the order of
   * scheduling.
   */
  void at(long micros, Runnable action) {
    events.add(new Event(micros, number++, action));
  }

  /** Runs until no event is left and nothing is in flight. */
  void run() {
    while (!events.isEmpty() || !network.isQuiet()) {
      Event next = events.peek();
      if (next != null && (network.isQuiet() || next.atMicros < medium.nextArrivalMicros())) {
        events.remove();
        medium.advanceTo(next.atMicros);
        next.action.run();
      } else {
        network.step();
      }
    }
  }
}
