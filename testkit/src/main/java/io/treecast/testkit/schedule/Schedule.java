package io.treecast.testkit.schedule;

import io.treecast.testkit.network.Topology;
import io.treecast.testkit.network.Topology.Link;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * What is to happen to a cluster and when. Time 0 is when every agent has committed the first tree.
 * Immutable. {@code toString} is the text of a file that {@link ScheduleFile} reads.
 *
 * @param name of the file that it was read from, for errors
 * @param start round trips that links have from the start, other than in the network
 * @param steps in the order of their times
 */
public record Schedule(String name, List<Start> start, List<Step> steps) {
  /** Most steps. */
  public static final int MAX_STEPS = 100_000;

  /**
   * A round trip that a link has before any agent starts.
   *
   * @param rtt which link, and its round trip
   * @param line where the file says so, from 1
   */
  public record Start(ScheduleEvent.Rtt rtt, int line) {
    /** A line of a schedule. */
    @Override
    public String toString() {
      return String.format("%-7s %s", ScheduleFile.START, rtt);
    }
  }

  /**
   * One event.
   *
   * @param atMillis when
   * @param event what
   * @param line where the file says so, from 1
   */
  public record Step(long atMillis, ScheduleEvent event, int line) {
    /** A line of a schedule. */
    @Override
    public String toString() {
      return String.format("%-7s %s", ScheduleTime.text(atMillis), event);
    }
  }

  /**
   * Copies the steps.
   *
   * @throws IllegalArgumentException if there are too many, or one is earlier than the one before
   */
  public Schedule {
    start = List.copyOf(start);
    steps = List.copyOf(steps);
    if (steps.size() > MAX_STEPS) {
      throw new IllegalArgumentException(steps.size() + " steps; the most are " + MAX_STEPS);
    }
    for (int i = 1; i < steps.size(); i++) {
      if (steps.get(i).atMillis() < steps.get(i - 1).atMillis()) {
        throw new IllegalArgumentException("step " + steps.get(i) + " is earlier than the last");
      }
    }
  }

  /** A schedule for a network as it is. */
  public Schedule(String name, List<Step> steps) {
    this(name, List.of(), steps);
  }

  /**
   * The network that the agents start on.
   *
   * @throws ScheduleFormatException if it has not the links that start otherwise
   */
  public Topology startOn(Topology topology) throws ScheduleFormatException {
    Map<List<Integer>, Long> rttMicros = new HashMap<>();
    for (Start other : start) {
      int low = Math.min(other.rtt.one(), other.rtt.other());
      int high = Math.max(other.rtt.one(), other.rtt.other());
      if (high >= topology.nodes() || !topology.linked(low, high)) {
        throw new ScheduleFormatException(
            name, other.line, "'" + other.rtt + "' does not fit: there is no such link");
      }
      rttMicros.put(List.of(low, high), Math.round(other.rtt.millis().doubleValue() * 1_000));
    }
    List<Link> links = new ArrayList<>();
    for (Link link : topology.links()) {
      long micros = rttMicros.getOrDefault(List.of(link.low(), link.high()), link.rttMicros());
      links.add(new Link(link.low(), link.high(), micros));
    }
    return Topology.of(topology.nodes(), links);
  }

  /**
   * This schedule, if it fits a network: it names nodes and links that there are by then, and no
   * agent that runs is started, or one that does not run is stopped.
   *
   * @throws ScheduleFormatException naming the line that does not fit
   */
  public Schedule checkedFor(Topology topology) throws ScheduleFormatException {
    ScheduleCheck check = new ScheduleCheck(topology);
    for (Step step : steps) {
      try {
        check.apply(step.event());
      } catch (IllegalArgumentException | IllegalStateException e) {
        throw new ScheduleFormatException(
            name, step.line(), "'" + step.event() + "' does not fit: " + e.getMessage());
      }
    }
    return this;
  }

  @Override
  public String toString() {
    StringBuilder text = new StringBuilder();
    start.forEach(other -> text.append(other).append('\n'));
    steps.forEach(step -> text.append(step).append('\n'));
    return text.toString();
  }
}
