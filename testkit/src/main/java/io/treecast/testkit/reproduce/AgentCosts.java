package io.treecast.testkit.reproduce;

import io.treecast.agent.core.AgentSnapshot;
import io.treecast.ghs.LinkWeight;
import io.treecast.mst.CommittedTree;
import io.treecast.testkit.cluster.ControlTraffic;
import io.treecast.testkit.compare.Cost;
import io.treecast.testkit.network.Topology.Link;
import io.treecast.testkit.run.EventReport;
import io.treecast.testkit.run.ScheduleReport;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.SortedSet;
import java.util.TreeSet;

/** The costs of agents on a schedule, and their trees, for a comparison. Stateless. */
public final class AgentCosts {
  private AgentCosts() {}

  /** Returns the cost of the first tree: from the start of the first agent to the last commit. */
  public static Cost build(ScheduleReport report) {
    long started = report.built().stream().mapToLong(AgentSnapshot::startedNanos).min().orElse(0);
    long committed =
        report.built().stream().mapToLong(AgentSnapshot::committedNanos).max().orElse(0);
    return cost(report.buildTraffic(), (committed - started) / 1e6);
  }

  /**
   * Returns the cost of the changes: for each event, from the first reaction of an agent to the
   * last commit.
   */
  public static Cost changes(ScheduleReport report) {
    double millis = 0;
    for (EventReport event : report.events()) {
      Double last = event.lastCommitMillis();
      Double detect = event.detectMillis();
      millis += last == null || detect == null ? 0 : last - detect;
    }
    return cost(report.traffic().since(report.buildTraffic()), millis);
  }

  private static Cost cost(ControlTraffic traffic, double millis) {
    return new Cost(traffic.counted(), traffic.bytes(), millis);
  }

  /** Returns the edges of the trees at time 0. */
  public static List<Link> before(ScheduleReport report) {
    SortedSet<LinkWeight> edges = new TreeSet<>();
    for (AgentSnapshot agent : report.built()) {
      CommittedTree tree = agent.tree().tree();
      if (tree != null) {
        edges.addAll(tree.edges());
      }
    }
    return links(edges);
  }

  /** Returns the edges of the trees at the end. */
  public static List<Link> after(ScheduleReport report) {
    SortedSet<LinkWeight> edges = new TreeSet<>();
    report.trees().trees().values().forEach(tree -> edges.addAll(tree.edges()));
    return links(edges);
  }

  /** Returns the edges of a tree whose node ids are numbers. */
  public static List<Link> links(Collection<LinkWeight> edges) {
    List<Link> links = new ArrayList<>();
    for (LinkWeight edge : edges) {
      links.add(
          Link.between(
              Integer.parseInt(edge.low().toString()),
              Integer.parseInt(edge.high().toString()),
              edge.cost()));
    }
    return links;
  }
}
