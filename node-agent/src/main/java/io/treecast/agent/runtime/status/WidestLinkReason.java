package io.treecast.agent.runtime.status;

import io.treecast.monitor.throughput.BandwidthWeight;
import io.treecast.proto.v1.ExplainLinkResponse;
import io.treecast.proto.v1.LinkWeight;
import io.treecast.proto.v1.ThroughputExpectation;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/**
 * Explains to people why a link is in the widest tree, or is not; {@code treecast why} and the live
 * page show the text. Immutable.
 *
 * @param link both ends in the reader's terms, for example {@code h1-h2}
 * @param why the explanation by one of its ends, for the widest tree
 * @param withoutWeight the reason why the ends have not agreed on a weight, if it is known
 */
public record WidestLinkReason(String link, ExplainLinkResponse why, String withoutWeight) {
  /** So few measurements may all be far off, as a single one is at times. */
  public static final long FEW_MEASUREMENTS = 2;

  private static final double MICROS_PER_SECOND = 1e6;

  /** Faster links count as equal: {@link BandwidthWeight#MAX_STEP}. */
  private static final long FASTEST_KBPS = 1_000_000;

  /** Returns one or two sentences for each reason. */
  public List<String> lines() {
    List<String> lines = new ArrayList<>();
    boolean isEdge = why.getLink().getTreeEdge();
    lines.add(
        link
            + (isEdge ? " is an edge of the widest tree." : " is not an edge of the widest tree."));
    if (!why.getLink().hasBandwidthWeight()) {
      lines.add("It has no weight there now: " + withoutWeight + ".");
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

  /** Returns the throughput of a weight in Mbit/s, for people; {@code ?} if unknown. */
  public static String throughputText(long weight) {
    long kbps = BandwidthWeight.kbps(weight);
    if (kbps >= FASTEST_KBPS) {
      return ">= " + millis(FASTEST_KBPS);
    }
    return kbps == 0 ? "?" : millis(kbps);
  }

  private long weight() {
    return why.getLink().getBandwidthWeight().getCost();
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
    return "%s; the narrowest link between its ends is %s-%s, which counts as %s%s."
        .formatted(
            counts,
            narrowest.getLow(),
            narrowest.getHigh(),
            throughput(narrowest.getCost()),
            roundTrips(narrowest.getCost()));
  }

  /** Names the decision by round trips, which holds between links of equal throughput. */
  private String roundTrips(long other) {
    return BandwidthWeight.stepOf(weight()) == BandwidthWeight.stepOf(other)
        ? ", as much; the round trips decide, "
            + millis(BandwidthWeight.rttMicros(weight()))
            + " and "
            + millis(BandwidthWeight.rttMicros(other))
            + " ms"
        : "";
  }

  private static String throughput(long weight) {
    return BandwidthWeight.stepOf(weight) == BandwidthWeight.UNKNOWN
        ? "less than any measured throughput, since it is not measured"
        : throughputText(weight) + " Mbit/s";
  }

  private static String forecast(ThroughputExpectation expectation) {
    return String.format(
        Locale.ROOT,
        "Its forecast is %s Mbit/s, by %s; last it was measured as %s Mbit/s%s. In %s forecasts were wrong by"
            + " %s Mbit/s on average.%s",
        millis(expectation.getForecastKbps()),
        expectation.getForecaster(),
        millis(expectation.getMeasuredKbps()),
        expectation.getRemembered() ? ", before it was lost" : "",
        measurements(expectation.getMeasurements()),
        millis(expectation.getErrorKbps()),
        expectation.getMeasurements() > FEW_MEASUREMENTS
            ? ""
            : " So few may be far off, where a machine was busy.");
  }

  private String turningPoint() {
    long kbps = why.getDecision().getTurningPointKbps();
    String turning = millis(kbps) + " Mbit/s";
    if (why.getLink().getTreeEdge()) {
      return kbps > 0
          ? "It counts as less when the forecast is below " + turning + "."
          : "No forecast would have it count as less.";
    }
    if (kbps > 0) {
      return "It takes that link's place when the forecast is " + turning + " or more.";
    }
    return weight() < why.getHeaviestOnPath().getCost()
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
                    BandwidthWeight.stepOf(agreed.getCost()) == BandwidthWeight.UNKNOWN
                        ? "an unknown throughput"
                        : throughputText(agreed.getCost()) + " Mbit/s",
                    agreed.getAgeMicros() / MICROS_PER_SECOND))
        .collect(Collectors.joining(", "));
  }

  private static String measurements(long count) {
    return count + (count == 1 ? " measurement" : " measurements");
  }

  /** Converts thousandths: microseconds to milliseconds, or kilobits to megabits. */
  private static String millis(long thousandths) {
    return LinkReason.millis(thousandths);
  }
}
