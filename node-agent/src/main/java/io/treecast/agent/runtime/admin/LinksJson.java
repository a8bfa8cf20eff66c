package io.treecast.agent.runtime.admin;

import io.treecast.agent.core.AgentSnapshot;
import io.treecast.agent.core.AgentSnapshot.LinkView;
import io.treecast.agent.core.LinkExplanation;
import io.treecast.agent.core.message.NetworkAddresses;
import io.treecast.agent.core.message.TreeMetric;
import io.treecast.agent.runtime.status.LinkReason;
import io.treecast.agent.runtime.status.StatusFrames;
import io.treecast.agent.runtime.status.WidestLinkReason;
import io.treecast.ghs.NodeId;
import io.treecast.monitor.probe.LinkQuality;
import io.treecast.monitor.series.SeriesPoint;
import io.treecast.monitor.throughput.ThroughputExpectation;
import io.treecast.monitor.weight.Expectation;
import io.treecast.proto.v1.ExplainLinkResponse;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * The pages about links. {@code /links.json} has the agent's links, by peer, with the keys of
 * {@code treecast links --output json}. Unknown values are null. Stateless.
 */
final class LinksJson {
  private LinksJson() {}

  static String of(AgentSnapshot snapshot) {
    ObjectNode page =
        JsonMapper.shared().createObjectNode().put("node", snapshot.self().id().toString());
    ArrayNode links = page.putArray("links");
    snapshot.links().forEach(link -> add(links.addObject(), link));
    return JsonMapper.shared().writeValueAsString(page) + "\n";
  }

  /**
   * Returns the page {@code /link.json}, which explains why the link to a peer is in a tree, or is
   * not.
   */
  static String of(NodeId peer, TreeMetric metric, LinkExplanation why) {
    ObjectNode page = JsonMapper.shared().createObjectNode().put("peer", peer.toString());
    String link = "The link to " + peer;
    ExplainLinkResponse frame = StatusFrames.explanation(why);
    List<String> words =
        metric == TreeMetric.LATENCY
            ? new LinkReason(link, frame, why.link().downReason()).lines()
            : new WidestLinkReason(link, frame, "its state is " + LinkReason.state(frame)).lines();
    ArrayNode lines = page.putArray("lines");
    words.forEach(lines::add);
    return JsonMapper.shared().writeValueAsString(page) + "\n";
  }

  /** Returns the page {@code /series.json}: the latest points, up to a limit. */
  static String series(List<SeriesPoint> points, int atMost) {
    ObjectNode page = JsonMapper.shared().createObjectNode();
    ArrayNode array = page.putArray("points");
    for (SeriesPoint point : points.subList(Math.max(0, points.size() - atMost), points.size())) {
      array
          .addObject()
          .put("unixMillis", point.unixMillis())
          .put("rttMillis", thousandths(point.value()));
    }
    return JsonMapper.shared().writeValueAsString(page) + "\n";
  }

  private static void add(ObjectNode json, LinkView link) {
    Expectation expected = link.expectation();
    LinkQuality quality = link.quality();
    ThroughputExpectation throughput = link.throughput();
    json.put("peer", link.peer().id().toString())
        .put("address", NetworkAddresses.primary(link.peer().address()))
        .put("network", link.network())
        .put("state", link.state().name().toLowerCase(Locale.ROOT))
        .put("absentMillis", link.absentMillis())
        .put("site", link.site())
        .put("measuredMillis", expected == null ? null : thousandths(expected.measuredMicros()))
        .put("forecastMillis", expected == null ? null : thousandths(expected.forecastMicros()))
        .put("errorMillis", expected == null ? null : thousandths(expected.errorMicros()))
        .put("forecaster", expected == null ? null : expected.forecaster())
        .put("jitterMillis", quality == null ? null : thousandths(quality.jitterMicros()))
        .put("lossPercent", quality == null ? null : (Integer) quality.lossPercent())
        .put("discardedPercent", quality == null ? null : (Integer) quality.discardedPercent())
        .put(
            "throughputForecastMbps",
            throughput == null ? null : thousandths(throughput.forecastKbps()))
        .put("weightMillis", link.weight() == null ? null : thousandths(link.weight().cost()))
        .put("treeEdge", link.treeEdge())
        .put("downReason", link.downReason())
        .put("downMillis", link.downMillis());
  }

  /** Converts microseconds to milliseconds, or kilobits to megabits. */
  private static @Nullable Double thousandths(long value) {
    return value / 1e3;
  }
}
