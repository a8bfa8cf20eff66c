package io.treecast.testkit.reproduce;

import io.treecast.ghs.LinkWeight;
import io.treecast.testkit.compare.Algorithm;
import io.treecast.testkit.compare.Comparison;
import io.treecast.testkit.compare.Cost;
import io.treecast.testkit.compare.MinimumTree;
import io.treecast.testkit.network.BroadcastShape;
import io.treecast.testkit.network.BroadcastTimes;
import io.treecast.testkit.network.NodeSites;
import io.treecast.testkit.network.ReferenceNetwork;
import io.treecast.testkit.network.Topology;
import io.treecast.testkit.run.EventReport;
import io.treecast.testkit.run.ScheduleReport;
import io.treecast.testkit.schedule.Schedule;
import io.treecast.testkit.schedule.Schedule.Step;
import io.treecast.testkit.schedule.ScheduleEvent;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;

/**
 * One run of a change set.
 *
 * @param schedule the set
 * @param networks the network at the start, and after each change
 * @param report the report of the run
 */
record SetRun(Schedule schedule, List<Topology> networks, ScheduleReport report) {
  private static final double NANOS_PER_MILLI = 1e6;

  Figures figures() {
    Topology first = networks.get(0);
    NodeSites sites = NodeSites.ofSize(first.nodes(), ReferenceNetwork.SITE_SIZE);
    Comparison comparison = new Comparison(networks, sites, ReferenceNetwork.SOURCE, 1, 0);
    Comparison.Row own =
        comparison.row(
            "treecast",
            AgentCosts.build(report),
            AgentCosts.changes(report),
            AgentCosts.before(report),
            AgentCosts.after(report));
    Comparison.Row mst = comparison.row(Algorithm.GHS_1983);
    Comparison.Row twoLevel = comparison.row(Algorithm.TWO_LEVEL);
    Comparison.Row binomial = comparison.row(Algorithm.BINOMIAL);
    Comparison.Row linkState = comparison.row(Algorithm.LINK_STATE);
    double broadcastMillis = 0;
    double afterMillis = 0;
    int after = 0;
    int broadcasts = 0;
    for (int i = 0; i < report.events().size(); i++) {
      Double delivered = report.events().get(i).deliveredMillis();
      if (delivered != null) {
        broadcasts++;
        broadcastMillis += delivered;
        if (changesBefore(i) == networks.size() - 1) {
          after++;
          afterMillis += delivered;
        }
      }
    }
    double totalMillis = own.build().millis() + own.changes().millis() + broadcastMillis;
    Cost all = own.build().plus(own.changes());
    Figures figures =
        Figures.NONE
            .with(Measure.EDGES_REPLACED, replaced())
            .with(Measure.EDGES_BY_VALUES, edgesByValues())
            .with(Measure.MINIMAL_PERCENT, minimalPercent())
            .with(Measure.CONTROL_MESSAGES, (double) all.messages())
            .with(Measure.BUILD_MESSAGES, (double) own.build().messages())
            .with(
                Measure.LINK_STATE_MESSAGES,
                (double) linkState.build().plus(linkState.changes()).messages())
            .with(Measure.BROADCAST_MESSAGES, (double) broadcasts * (first.nodes() - 1))
            .with(Measure.LAST_NODE_MILLIS, afterMillis / after)
            .with(Measure.STATIC_MST_TIMES, mst.lastMillis() / own.lastMillis())
            .with(Measure.TWO_LEVEL_TIMES, twoLevel.lastMillis() / own.lastMillis())
            .with(Measure.BINOMIAL_TIMES, binomial.lastMillis() / own.lastMillis())
            .with(Measure.ADAPT_MILLIS, own.changes().millis())
            .with(Measure.LINK_STATE_MILLIS, linkState.changes().millis())
            .with(Measure.TOTAL_SECONDS, totalMillis / 1e3)
            .with(Measure.ADAPT_SHARE_PERCENT, 100 * own.changes().millis() / totalMillis)
            .with(
                Measure.TWO_LEVEL_SECONDS,
                totalMillis(BroadcastShape.twoLevel(first, sites::siteOf, ReferenceNetwork.SOURCE))
                    / 1e3)
            .with(
                Measure.STATIC_MST_SECONDS,
                (mst.build().millis()
                        + totalMillis(
                            BroadcastShape.alongTree(
                                first.nodes(), MinimumTree.of(first), ReferenceNetwork.SOURCE)))
                    / 1e3);
    for (var sent : all.messagesByType().entrySet()) {
      figures = figures.sent(sent.getKey(), sent.getValue().doubleValue());
    }
    return figures;
  }

  /** Returns the time of all broadcasts, one after the other, on a static tree. */
  private double totalMillis(BroadcastShape shape) {
    double sum = 0;
    for (int i = 0; i < schedule.steps().size(); i++) {
      if (schedule.steps().get(i).event() instanceof ScheduleEvent.Broadcast) {
        Topology network = networks.get(changesBefore(i));
        sum += new BroadcastTimes(network).lastNanos(shape) / NANOS_PER_MILLI;
      }
    }
    return sum;
  }

  /** Returns the number of moments before a step at which round trips changed. */
  private int changesBefore(int index) {
    return (int)
        schedule.steps().subList(0, index).stream()
            .filter(step -> step.event() instanceof ScheduleEvent.Rtt)
            .mapToLong(Step::atMillis)
            .distinct()
            .count();
  }

  private double replaced() {
    return report.events().stream().mapToInt(event -> event.removed().size()).sum();
  }

  private double edgesByValues() {
    double sum = 0;
    for (int i = 1; i < networks.size(); i++) {
      sum += Lab.edgesByValues(networks.get(i - 1), networks.get(i));
    }
    return sum;
  }

  /**
   * Returns the share of the moments of change after which the tree was the minimum spanning tree
   * of the network.
   */
  private double minimalPercent() {
    Set<String> edges = new TreeSet<>();
    AgentCosts.before(report).forEach(edge -> edges.add(Lab.name(edge)));
    int minimal = 0;
    int changes = 0;
    List<EventReport> events = report.events();
    for (int i = 0; i < events.size(); i++) {
      events.get(i).removed().forEach(edge -> edges.remove(name(edge)));
      events.get(i).added().forEach(edge -> edges.add(name(edge)));
      Step step = schedule.steps().get(i);
      Step next = i + 1 < events.size() ? schedule.steps().get(i + 1) : null;
      boolean isLastOfMoment =
          step.event() instanceof ScheduleEvent.Rtt
              && (next == null
                  || !(next.event() instanceof ScheduleEvent.Rtt)
                  || next.atMillis() != step.atMillis());
      if (isLastOfMoment) {
        changes++;
        Set<String> least =
            MinimumTree.of(networks.get(changesBefore(i + 1))).stream()
                .map(Lab::name)
                .collect(Collectors.toCollection(TreeSet::new));
        minimal += edges.equals(least) ? 1 : 0;
      }
    }
    return changes == 0 ? 100 : 100.0 * minimal / changes;
  }

  private static String name(LinkWeight edge) {
    return edge.low() + "-" + edge.high();
  }
}
