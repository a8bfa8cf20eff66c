package io.treecast.cli.links;

import io.treecast.agent.core.message.Member;
import io.treecast.agent.runtime.LinkReason;
import io.treecast.cli.console.Plural;
import io.treecast.cli.console.RttText;
import io.treecast.cli.query.AgentInquiry;
import io.treecast.cli.query.MetricText;
import io.treecast.cli.query.TreeJson;
import io.treecast.monitor.BandwidthWeight;
import io.treecast.proto.v1.AgreedWeight;
import io.treecast.proto.v1.ExplainLinkResponse;
import io.treecast.proto.v1.LinkWeight;
import io.treecast.proto.v1.ThroughputExpectation;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Why a link is in the widest tree, or is not, as its owner says.
 *
 * @param owner the end with the lower id
 * @param peer the other end
 * @param why of the tree by bandwidth
 */
record WidestTreeReason(Member owner, Member peer, ExplainLinkResponse why) {
  /** So many can all be wrong: a single one is at times, by far. */
  static final long FEW_MEASUREMENTS = 2;

  private static final double MICROS_PER_SECOND = 1e6;

  /**
   * For a person.
   *
   * @param agents to ask both ends, if they have agreed on no weight
   */
  List<String> lines(AgentInquiry agents) {
    List<String> lines = new ArrayList<>();
    boolean isEdge = why.getLink().getTreeEdge();
    lines.add(
        owner.id()
            + "-"
            + peer.id()
            + (isEdge ? " is an edge of the widest tree." : " is not an edge of the widest tree."));
    if (!why.getLink().hasBandwidthWeight()) {
      lines.add("It has no weight there now: " + whyWithoutWeight(agents) + ".");
      return lines;
    }
    lines.add(comparison());
    if (why.getLink().hasThroughput()) {
      lines.add(forecast(why.getLink().getThroughput()));
    }
    if (why.getLink().getTreeEdge() || why.hasHeaviestOnPath()) {
      lines.add(turningPoint());
    }
    lines.add("The ends agreed on " + history() + ".");
    return lines;
  }

  private String whyWithoutWeight(AgentInquiry agents) {
    for (Member end : List.of(owner, peer)) {
      try {
        if (!agents.ask(end).measuresThroughput()) {
          return end.id() + " measures no throughput (throughput.enabled)";
        }
      } catch (AgentInquiry.FailedException silent) {
        // The state of the link tells more.
      }
    }
    return "its state is " + LinkReason.state(why);
  }

  private long weight() {
    return why.getLink().getBandwidthWeight().getRttMicros();
  }

  private String comparison() {
    String counts = "It counts as " + throughput(weight());
    if (why.getLink().getTreeEdge()) {
      return counts + ".";
    }
    if (!why.hasHeaviestOnPath()) {
      return counts + "; no widest tree holds both its ends.";
    }
    LinkWeight narrowest = why.getHeaviestOnPath();
    return counts
        + "; the narrowest link between its ends is "
        + narrowest.getLow()
        + "-"
        + narrowest.getHigh()
        + ", which counts as "
        + throughput(narrowest.getRttMicros())
        + roundTrips(narrowest.getRttMicros())
        + ".";
  }

  /** They decide among links that count alike. */
  private String roundTrips(long other) {
    return BandwidthWeight.stepOf(weight()) == BandwidthWeight.stepOf(other)
        ? ", as much; the round trips decide, "
            + RttText.millis(BandwidthWeight.rttMicros(weight()))
            + " and "
            + RttText.millis(BandwidthWeight.rttMicros(other))
            + " ms"
        : "";
  }

  private static String throughput(long weight) {
    return BandwidthWeight.stepOf(weight) == BandwidthWeight.UNKNOWN
        ? "less than any measured throughput, since it is not measured"
        : MetricText.BANDWIDTH.text(weight) + " Mbit/s";
  }

  private static String forecast(ThroughputExpectation expectation) {
    return String.format(
        Locale.ROOT,
        "Its forecast is %s Mbit/s, by %s; last it was measured as %s Mbit/s%s. In %s forecasts were wrong by"
            + " %s Mbit/s on average.%s",
        RttText.millis(expectation.getForecastKbps()),
        expectation.getForecaster(),
        RttText.millis(expectation.getMeasuredKbps()),
        expectation.getRemembered() ? ", before it was lost" : "",
        Plural.of(expectation.getMeasurements(), "measurement"),
        RttText.millis(expectation.getErrorKbps()),
        expectation.getMeasurements() > FEW_MEASUREMENTS
            ? ""
            : " So few may be far off, where a machine was busy.");
  }

  private String turningPoint() {
    long kbps = why.getDecision().getTurningPointKbps();
    String turning = RttText.millis(kbps) + " Mbit/s";
    if (why.getLink().getTreeEdge()) {
      return kbps > 0
          ? "It counts as less when the forecast is below " + turning + "."
          : "No forecast would have it count as less.";
    }
    if (kbps > 0) {
      return "It takes that link's place when the forecast is " + turning + " or more.";
    }
    return weight() < why.getHeaviestOnPath().getRttMicros()
        ? "It is the better one, and about to take that link's place."
        : "No throughput would have it take that link's place.";
  }

  private String history() {
    return why.getWeightsList().stream()
        .map(
            agreed ->
                String.format(
                    Locale.ROOT,
                    "%s %.0f s ago",
                    BandwidthWeight.stepOf(agreed.getRttMicros()) == BandwidthWeight.UNKNOWN
                        ? "an unknown throughput"
                        : MetricText.BANDWIDTH.text(agreed.getRttMicros()) + " Mbit/s",
                    agreed.getAgeMicros() / MICROS_PER_SECOND))
        .collect(Collectors.joining(", "));
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
      MetricText.BANDWIDTH.put(edge, narrowest.getRttMicros());
    }
    ThroughputExpectation expectation = why.getLink().getThroughput();
    json.put("measuredMbps", TreeJson.measuredMillis(expectation.getMeasuredKbps()))
        .put("forecastMbps", TreeJson.measuredMillis(expectation.getForecastKbps()))
        .put("errorMbps", expectation.getErrorKbps() / 1e3)
        .put("forecaster", expectation.getForecaster())
        .put("measurements", expectation.getMeasurements())
        .put("old", expectation.getRemembered())
        .put("turningPointMbps", TreeJson.measuredMillis(why.getDecision().getTurningPointKbps()));
    ArrayNode weights = json.putArray("weights");
    for (AgreedWeight agreed : why.getWeightsList()) {
      ObjectNode weight = weights.addObject();
      MetricText.BANDWIDTH.put(weight, agreed.getRttMicros());
      weight.put("secondsAgo", agreed.getAgeMicros() / MICROS_PER_SECOND);
    }
    return json;
  }
}
