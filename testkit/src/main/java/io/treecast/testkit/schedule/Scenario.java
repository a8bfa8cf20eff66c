package io.treecast.testkit.schedule;

import io.treecast.testkit.network.NodeGroup;
import io.treecast.testkit.network.Topology;
import io.treecast.testkit.network.Topology.Link;
import io.treecast.testkit.schedule.Schedule.Step;
import java.io.StringReader;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.IntUnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * A network and the events on it. Immutable.
 *
 * @param topology the network at first
 * @param schedule the events
 */
public record Scenario(Topology topology, Schedule schedule) {

  /** Returns whether the schedule fits the network. */
  public boolean fits() {
    try {
      var unused = schedule.checkedFor(topology);
      return true;
    } catch (ScheduleFormatException e) {
      return false;
    }
  }

  /** Returns the scenario without the events from an index to before another. */
  Scenario withoutSteps(int from, int to) {
    List<Step> steps = new ArrayList<>(schedule.steps());
    steps.subList(from, to).clear();
    return new Scenario(topology, new Schedule(schedule.name(), steps));
  }

  /** Returns the scenario without a link and its events. */
  Scenario withoutLink(Link gone) {
    List<Link> links = new ArrayList<>(topology.links());
    links.remove(gone);
    List<Step> steps = new ArrayList<>(schedule.steps());
    steps.removeIf(
        step ->
            step.event() instanceof ScheduleEvent.OfLink link
                && Math.min(link.one(), link.other()) == gone.low()
                && Math.max(link.one(), link.other()) == gone.high());
    return new Scenario(Topology.of(topology.nodes(), links), new Schedule(schedule.name(), steps));
  }

  /**
   * Returns the scenario without a node of the topology and its events; the numbers of higher nodes
   * decrease by one.
   */
  Scenario withoutNode(int gone) {
    IntUnaryOperator renamed = node -> node > gone ? node - 1 : node;
    List<Link> links = new ArrayList<>();
    for (Link link : topology.links()) {
      if (link.low() != gone && link.high() != gone) {
        links.add(
            new Link(
                renamed.applyAsInt(link.low()), renamed.applyAsInt(link.high()), link.rttMicros()));
      }
    }
    List<Step> steps = new ArrayList<>();
    for (Step step : schedule.steps()) {
      ScheduleEvent event = renamed(step.event(), gone, renamed);
      if (event != null) {
        steps.add(new Step(step.atMillis(), event, step.line()));
      }
    }
    return new Scenario(
        Topology.of(topology.nodes() - 1, links), new Schedule(schedule.name(), steps));
  }

  /** Returns the event with changed node numbers; null if it concerns the removed node. */
  private static @Nullable ScheduleEvent renamed(
      ScheduleEvent event, int gone, IntUnaryOperator renamed) {
    if (event instanceof ScheduleEvent.Partition partition) {
      List<NodeGroup> groups = new ArrayList<>();
      for (NodeGroup group : partition.groups()) {
        List<Integer> nodes = new ArrayList<>();
        group.nodes().stream()
            .filter(node -> node != gone)
            .forEach(node -> nodes.add(renamed.applyAsInt(node)));
        if (!nodes.isEmpty()) {
          groups.add(NodeGroup.of(nodes));
        }
      }
      return groups.size() < 2 ? null : new ScheduleEvent.Partition(groups);
    }
    if (event instanceof ScheduleEvent.Join join) {
      return join.like() == gone
          ? null
          : new ScheduleEvent.Join(
              renamed.applyAsInt(join.node()), renamed.applyAsInt(join.like()));
    }
    if (event instanceof ScheduleEvent.OfNode of) {
      return of.node() == gone ? null : rewritten(event, renamed, of.node());
    }
    if (event instanceof ScheduleEvent.OfLink of) {
      return of.one() == gone || of.other() == gone
          ? null
          : rewritten(event, renamed, of.one(), of.other());
    }
    return event;
  }

  /** Replaces the nodes in the text of an event, where they are the second word, and parses it. */
  private static ScheduleEvent rewritten(
      ScheduleEvent event, IntUnaryOperator renamed, int... nodes) {
    List<String> numbers = new ArrayList<>();
    for (int node : nodes) {
      numbers.add("" + renamed.applyAsInt(node));
    }
    String[] words = event.toString().split(" ", 3);
    words[1] = String.join("-", numbers);
    try {
      return ScheduleFile.read("event", new StringReader("0s " + String.join(" ", words)))
          .steps()
          .get(0)
          .event();
    } catch (java.io.IOException e) {
      throw new AssertionError("the text of an event cannot be parsed: " + event, e);
    }
  }

  /** Returns the network in the format of {@link io.treecast.testkit.network.MatrixFile}. */
  public String matrix() {
    StringBuilder text = new StringBuilder();
    for (int row = 0; row < topology.nodes(); row++) {
      for (int column = 0; column < topology.nodes(); column++) {
        text.append(column == 0 ? "" : ",")
            .append(
                topology.linked(row, column)
                    ? String.format(Locale.ROOT, "%.3f", topology.rttMicros(row, column) / 1e3)
                    : "-");
      }
      text.append('\n');
    }
    return text.toString();
  }

  /** Returns both files, for people who repeat the scenario. */
  @Override
  public String toString() {
    return "# network (--matrix)\n" + matrix() + "# schedule (--schedule)\n" + schedule;
  }
}
