package io.treecast.cli.simulate;

import io.treecast.agent.core.AgentSnapshot;
import io.treecast.cli.cluster.ClusterReport;
import io.treecast.cli.cluster.Places;
import io.treecast.ghs.LinkWeight;
import io.treecast.mst.ChangeCause;
import io.treecast.mst.CommittedTree;
import io.treecast.testkit.cluster.BroadcastVerdict;
import io.treecast.testkit.cluster.ControlTraffic;
import io.treecast.testkit.cluster.TreeVerdict.Component;
import io.treecast.testkit.run.EventReport;
import io.treecast.testkit.run.ScheduleReport;
import java.util.Collection;
import java.util.List;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * A {@link ScheduleReport} in JSON, with the keys of a report without a schedule and those of the
 * events.
 */
final class ScheduleReportJson {
  private final Places places;
  private final ScheduleReport report;

  ScheduleReportJson(Places places, ScheduleReport report) {
    this.places = places;
    this.report = report;
  }

  ObjectNode toJson() {
    ObjectNode json = JsonMapper.shared().createObjectNode();
    json.put("nodes", places.topology().nodes());
    json.put("links", places.topology().links().size());
    Collection<CommittedTree> trees = report.trees().trees().values();
    List<LinkWeight> edges = edges(trees);
    addEdges(json.putArray("tree"), edges);
    json.put("weightMillis", rounded(edges.stream().mapToLong(LinkWeight::cost).sum() / 1e3));
    ArrayNode roots = JsonMapper.shared().createArrayNode();
    trees.forEach(tree -> places.add(roots, ClusterReport.number(tree.root())));
    json.set("root", roots.isEmpty() ? JsonMapper.shared().nullNode() : roots.get(0));
    json.set("roots", roots);
    addTraffic(json, report.traffic());
    json.put("buildMillis", rounded(buildMillis()));
    json.put("buildControlMessages", report.buildTraffic().count());
    json.put("buildHandshakeMessages", report.buildTraffic().handshakeMessages());
    json.put("minimal", report.trees().minimal());
    json.putArray("sources");
    // Not measured in a run of a schedule.
    json.putNull("ratioMean");
    json.putNull("ratioWorst");
    addComponents(json.putArray("components"));
    ArrayNode linkProblems = json.putArray("linkProblems");
    report.trees().linkProblems().forEach(linkProblems::add);
    ArrayNode events = json.putArray("events");
    report.events().forEach(event -> add(events.addObject(), event));
    addBroadcasts(json);
    json.put("atRest", report.atRest());
    json.put("endMillis", rounded(report.endMillis()));
    json.put("restBoundMillis", report.restBoundMillis());
    json.put("notAtRest", report.notAtRest());
    return json;
  }

  private double buildMillis() {
    long started = report.built().stream().mapToLong(AgentSnapshot::startedNanos).min().orElse(0);
    long committed =
        report.built().stream().mapToLong(AgentSnapshot::committedNanos).max().orElse(0);
    return (committed - started) / 1e6;
  }

  private static List<LinkWeight> edges(Collection<CommittedTree> trees) {
    TreeSet<LinkWeight> edges = new TreeSet<>();
    trees.forEach(tree -> edges.addAll(tree.edges()));
    return List.copyOf(edges);
  }

  private void addEdges(ArrayNode array, List<LinkWeight> edges) {
    for (LinkWeight edge : edges) {
      ObjectNode json = array.addObject();
      places.put(json, "a", edge.low());
      places.put(json, "b", edge.high());
      json.put("weightMillis", edge.cost() / 1e3);
    }
  }

  private static void addTraffic(ObjectNode json, ControlTraffic traffic) {
    ObjectNode byType = json.putObject("messages");
    traffic.counted().forEach(byType::put);
    json.put("controlMessages", traffic.count());
    json.put("handshakeMessages", traffic.handshakeMessages());
    json.put("controlBytes", traffic.bytes());
  }

  private void addComponents(ArrayNode array) {
    for (Component component : report.trees().components()) {
      ObjectNode json = array.addObject();
      ArrayNode nodes = json.putArray("nodes");
      component.nodes().forEach(node -> places.add(nodes, node));
      CommittedTree tree = component.tree();
      if (tree != null) {
        places.put(json, "root", tree.root());
        json.put("version", tree.version());
      }
      json.put("minimal", component.minimal());
      json.put("minimalOnNetwork", component.minimalOnNetwork());
      ArrayNode problems = json.putArray("problems");
      component.problems().forEach(problems::add);
    }
  }

  private void add(ObjectNode json, EventReport event) {
    json.put("at", event.at());
    json.put("event", event.event());
    json.put("cause", causes(event));
    json.put("versionBefore", event.versionBefore());
    json.put("versionAfter", event.versionAfter());
    addEdges(json.putArray("removed"), event.removed());
    addEdges(json.putArray("added"), event.added());
    addTraffic(json, event.traffic());
    put(json, "detectMillis", event.detectMillis());
    put(json, "firstCommitMillis", event.firstCommitMillis());
    put(json, "lastCommitMillis", event.lastCommitMillis());
    put(json, "deliveredMillis", event.deliveredMillis());
    if (event.skipped() != null) {
      json.put("skipped", event.skipped());
    }
  }

  /** Returns the labels of the causes; empty without a commit. */
  static String causes(EventReport event) {
    return event.causes().stream().map(ChangeCause::label).collect(Collectors.joining(", "));
  }

  private static void put(ObjectNode json, String key, @Nullable Double millis) {
    if (millis == null) {
      json.putNull(key);
    } else {
      json.put(key, rounded(millis));
    }
  }

  private void addBroadcasts(ObjectNode json) {
    BroadcastVerdict verdict = report.broadcasts();
    json.putObject("broadcasts")
        .put("published", verdict.published())
        .put("delivered", verdict.delivered())
        .put("duplicated", verdict.duplicated())
        .put("lost", verdict.lost().size());
  }

  /** Rounds milliseconds to nanoseconds. */
  private static double rounded(double value) {
    return Math.round(value * 1e6) / 1e6;
  }
}
