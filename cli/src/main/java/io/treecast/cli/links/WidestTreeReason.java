package io.treecast.cli.links;

import io.treecast.agent.core.message.Member;
import io.treecast.agent.runtime.status.LinkReason;
import io.treecast.agent.runtime.status.WidestLinkReason;
import io.treecast.cli.query.AgentInquiry;
import io.treecast.cli.query.MetricText;
import io.treecast.cli.query.TreeJson;
import io.treecast.proto.v1.AgreedWeight;
import io.treecast.proto.v1.ExplainLinkResponse;
import io.treecast.proto.v1.LinkWeight;
import io.treecast.proto.v1.ThroughputExpectation;
import java.util.List;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * The owner's explanation why a link is in the widest tree or not.
 *
 * @param owner the end with the lower id
 * @param peer the other end
 * @param why the answer about the widest tree
 */
record WidestTreeReason(Member owner, Member peer, ExplainLinkResponse why) {
  private static final double MICROS_PER_SECOND = 1e6;

  /**
   * Returns the explanation for people.
   *
   * @param agents used to ask both ends if there is no agreed weight
   */
  List<String> lines(AgentInquiry agents) {
    String withoutWeight = why.getLink().hasBandwidthWeight() ? "" : whyWithoutWeight(agents);
    return new WidestLinkReason(owner.id() + "-" + peer.id(), why, withoutWeight).lines();
  }

  private String whyWithoutWeight(AgentInquiry agents) {
    for (Member end : List.of(owner, peer)) {
      try {
        if (!agents.ask(end).measuresThroughput()) {
          return end.id() + " measures no throughput (throughput.enabled)";
        }
      } catch (AgentInquiry.FailedException silent) {
        // The state of the link is the better explanation.
      }
    }
    return "its state is " + LinkReason.state(why);
  }

  private long weight() {
    return why.getLink().getBandwidthWeight().getCost();
  }

  ObjectNode json() {
    ObjectNode json =
        TreeJson.object()
            .put("a", owner.id().toString())
            .put("b", peer.id().toString())
            .put("state", LinkReason.state(why))
            .put("treeEdge", why.getLink().getTreeEdge());
    if (why.getLink().hasBandwidthWeight()) {
      MetricText.BANDWIDTH.put(json, weight());
    }
    if (why.hasHeaviestOnPath()) {
      LinkWeight narrowest = why.getHeaviestOnPath();
      ObjectNode edge =
          json.putObject("heaviestOnPath")
              .put("a", narrowest.getLow())
              .put("b", narrowest.getHigh());
      MetricText.BANDWIDTH.put(edge, narrowest.getCost());
    }
    ThroughputExpectation expectation = why.getLink().getThroughput();
    json.put("measuredMbps", TreeJson.measuredMillis(expectation.getMeasuredKbps()))
        .put("forecastMbps", TreeJson.measuredMillis(expectation.getForecastKbps()))
        .put("errorMbps", expectation.getErrorKbps() / 1e3)
        .put("forecaster", expectation.getForecaster())
        .put("measurements", expectation.getMeasurements())
        .put("fromEarlierSession", expectation.getRemembered())
        .put("turningPointMbps", TreeJson.measuredMillis(why.getDecision().getTurningPointKbps()));
    ArrayNode weights = json.putArray("weights");
    for (AgreedWeight agreed : why.getWeightsList()) {
      ObjectNode weight = weights.addObject();
      MetricText.BANDWIDTH.put(weight, agreed.getCost());
      weight.put("secondsAgo", agreed.getAgeMicros() / MICROS_PER_SECOND);
    }
    return json;
  }
}
