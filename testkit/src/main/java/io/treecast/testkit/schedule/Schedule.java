package io.treecast.testkit.schedule;

import io.treecast.testkit.network.Topology;
import io.treecast.testkit.network.Topology.Link;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The events planned for a cluster, with their times. Time 0 is the moment when every agent has
 * committed the first tree. Immutable. {@code toString} returns the text in the format of {@link
 * ScheduleFile}.
 *
 * @param name the name of the file, for errors
 * @param network the name of its network, one of {@link
 *     io.treecast.testkit.network.ReferenceNetwork#NAMES}; null for any
 * @param thresholds the thresholds of significant changes that the schedule sets
 * @param start initial round trips that differ from the network
 * @param steps the events in the order of their times
 */
public record Schedule(
    String name,
    @Nullable String network,
    Thresholds thresholds,
    List<Start> start,
    List<Step> steps) {
  /** Limit of steps. */
  public static final int MAX_STEPS = 100_000;

  private static final long DEFAULT_APART_MILLIS = 5_000;

  /**
   * A round trip of a link that is set before any agent starts.
   *
   * @param rtt the link and its round trip
   * @param line its line in the file, from 1
   */
  public record Start(ScheduleEvent.Rtt rtt, int line) {
    /** Returns a line of a schedule. */
    @Override
    public String toString() {
      return String.format("%-7s %s", ScheduleFile.START, rtt);
    }
  }

  /**
   * One event.
   *
   * @param atMillis the time
   * @param event the event
   * @param line its line in the file, from 1
   */
  public record Step(long atMillis, ScheduleEvent event, int line) {
    /** Returns a line of a schedule. */
    @Override
    public String toString() {
      return String.format("%-7s %s", ScheduleTime.text(atMillis), event);
    }
  }

  /**
   * Copies the steps.
   *
   * @throws IllegalArgumentException if there are too many steps, or one is earlier than its
   *     predecessor
   */
  public Schedule {
    start = List.copyOf(start);
    steps = List.copyOf(steps);
    if (steps.size() > MAX_STEPS) {
      throw new IllegalArgumentException(steps.size() + " steps; the most are " + MAX_STEPS);
    }
    for (int i = 1; i < steps.size(); i++) {
      if (steps.get(i).atMillis() < steps.get(i - 1).atMillis()) {
        throw new IllegalArgumentException(
            "step " + steps.get(i) + " is earlier than the one before");
      }
    }
  }

  /** Creates a schedule without initial round trips and thresholds. */
  public Schedule(String name, List<Step> steps) {
    this(name, null, Thresholds.NONE, List.of(), steps);
  }

  /** Returns a copy with thresholds that override those of the schedule. */
  public Schedule with(Thresholds others) {
    return new Schedule(name, network, others.orElse(thresholds), start, steps);
  }

  /** Returns the time of the last event; 0 without events. */
  public long endMillis() {
    return steps.isEmpty() ? 0 : steps.get(steps.size() - 1).atMillis();
  }

  /**
   * Returns a copy with another number of broadcasts. The broadcasts of the schedule have one
   * origin and equal intervals, which the copy preserves. Each other event follows the same share
   * of the broadcasts as in the schedule, with the same pause before the next broadcast.
   *
   * @param count the number of broadcasts, at least 1
   * @throws IllegalArgumentException if the schedule has no broadcasts, or the copy would have too
   *     many steps
   */
  public Schedule withBroadcasts(int count) {
    List<Step> sent = steps.stream().filter(Schedule::isBroadcast).toList();
    if (sent.isEmpty() || count < 1 || count > MAX_STEPS) {
      throw new IllegalArgumentException(
          sent.isEmpty()
              ? "the schedule " + name + " has no broadcast to repeat"
              : count + " broadcasts; allowed are 1 to " + MAX_STEPS);
    }
    long apartMillis =
        sent.size() == 1 ? DEFAULT_APART_MILLIS : sent.get(1).atMillis() - sent.get(0).atMillis();
    List<Step> respaced = new ArrayList<>();
    int seen = 0;
    int placed = 0;
    long seenMillis = 0;
    long placedMillis = 0;
    long gapMillis = 0;
    for (Step step : steps) {
      if (!isBroadcast(step)) {
        long atMillis = placedMillis + step.atMillis() - seenMillis;
        respaced.add(new Step(noEarlier(atMillis, respaced), step.event(), step.line()));
        continue;
      }
      seen++;
      gapMillis = Math.max(gapMillis, step.atMillis() - seenMillis);
      seenMillis = step.atMillis();
      for (long due = Math.round((double) seen * count / sent.size()); placed < due; placed++) {
        placedMillis = noEarlier(placedMillis + gapMillis, respaced);
        respaced.add(new Step(placedMillis, step.event(), step.line()));
        gapMillis = apartMillis;
      }
      gapMillis = placed == 0 || !isBroadcast(respaced.get(respaced.size() - 1)) ? gapMillis : 0;
    }
    return new Schedule(name, network, thresholds, start, respaced);
  }

  private static boolean isBroadcast(Step step) {
    return step.event() instanceof ScheduleEvent.Broadcast;
  }

  private static long noEarlier(long atMillis, List<Step> steps) {
    return steps.isEmpty() ? atMillis : Math.max(atMillis, steps.get(steps.size() - 1).atMillis());
  }

  /**
   * Returns the network with the initial round trips.
   *
   * @throws ScheduleFormatException if the network lacks a link with an initial round trip
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
   * Returns the network at the start, and after each moment at which round trips change. Other
   * events are ignored.
   *
   * @throws ScheduleFormatException if the network lacks a link with an initial round trip
   */
  public List<Topology> networks(Topology topology) throws ScheduleFormatException {
    List<Topology> networks = new ArrayList<>(List.of(startOn(topology)));
    long changedMillis = -1;
    for (Step step : steps) {
      if (!(step.event() instanceof ScheduleEvent.Rtt rtt)) {
        continue;
      }
      Topology changed = with(networks.get(networks.size() - 1), rtt);
      if (step.atMillis() == changedMillis) {
        networks.set(networks.size() - 1, changed);
      } else {
        networks.add(changed);
      }
      changedMillis = step.atMillis();
    }
    return networks;
  }

  private static Topology with(Topology network, ScheduleEvent.Rtt rtt) {
    Link changed =
        Link.between(rtt.one(), rtt.other(), Math.round(rtt.millis().doubleValue() * 1_000));
    return Topology.of(
        network.nodes(),
        network.links().stream()
            .map(
                link ->
                    link.low() == changed.low() && link.high() == changed.high() ? changed : link)
            .toList());
  }

  /**
   * Returns this schedule if it fits a network: the nodes and links of each event exist at its
   * time, and their state permits the event.
   *
   * @throws ScheduleFormatException with the line that does not fit
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
    List<String> given = new ArrayList<>(thresholds.lines());
    if (network != null) {
      given.add(0, ScheduleFile.NETWORK + " " + network);
    }
    given.forEach(
        line -> text.append(String.format("%-7s %s", ScheduleFile.START, line)).append('\n'));
    start.forEach(other -> text.append(other).append('\n'));
    steps.forEach(step -> text.append(step).append('\n'));
    return text.toString();
  }
}
