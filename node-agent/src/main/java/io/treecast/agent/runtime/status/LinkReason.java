package io.treecast.agent.runtime.status;

import io.treecast.proto.v1.AgreedWeight;
import io.treecast.proto.v1.Expectation;
import io.treecast.proto.v1.ExplainLinkResponse;
import io.treecast.proto.v1.LinkDecision;
import io.treecast.proto.v1.LinkWeight;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/**
 * Explains to people why a link is in the tree of round trips, or is not; {@code treecast why} and
 * the live page show the text. Immutable.
 *
 * @param link both ends in the reader's terms, for example {@code h1-h2}
 * @param why the explanation by one of its ends
 * @param down since when and why the link is suspended or lost, for people; empty if it is neither
 */
public record LinkReason(String link, ExplainLinkResponse why, String down) {
  private static final double MICROS_PER_SECOND = 1e6;

  /** Returns one or two sentences for each reason. */
  public List<String> lines() {
    List<String> lines = new ArrayList<>();
    boolean isEdge = why.getLink().getTreeEdge();
    lines.add(link + (isEdge ? " is an edge of the tree." : " is not an edge of the tree."));
    if (!why.getLink().hasWeight()) {
      lines.add(
          "It has no weight now: its state is %s%s."
              .formatted(state(why), down.isEmpty() ? "" : ", " + down));
      return lines;
    }
    lines.add(comparison());
    if (why.getLink().hasExpectation()) {
      lines.add(forecast(why.getLink().getExpectation()));
    }
    if (why.hasDecision()) {
      lines.add(decision());
    }
    String network = why.getLink().getNetwork();
    if (!network.isEmpty()) {
      lines.add("Control uses the network " + network + ".");
    }
    lines.add("The ends agreed on " + history() + ".");
    return lines;
  }

  /** Returns the state of the link, as commands show it. */
  public static String state(ExplainLinkResponse why) {
    return why.getLink().getState().name().replaceFirst("LINK_STATE_", "").toLowerCase(Locale.ROOT);
  }

  private String comparison() {
    String weight = millis(why.getLink().getWeight().getCost()) + " ms";
    if (why.getLink().getTreeEdge()) {
      return "Its weight is " + weight + ".";
    }
    return why.hasHeaviestOnPath()
        ? ("Its weight, with the cost of a change on top, is %s; the heaviest edge between "
                + "its ends is %s.")
            .formatted(weight, edge(why.getHeaviestOnPath()))
        : "Its weight is " + weight + "; no tree holds both its ends.";
  }

  private static String edge(LinkWeight edge) {
    return "%s-%s, which weighs %s ms"
        .formatted(edge.getLow(), edge.getHigh(), millis(edge.getCost()));
  }

  private static String forecast(Expectation expectation) {
    return String.format(
        Locale.ROOT,
        "Its forecast is %s ms, by %s; it last took %s ms. In %d measurements forecasts were wrong by %s ms on average"
            + " (confidence %.0f %%).",
        millis(expectation.getForecastMicros()),
        expectation.getForecaster(),
        millis(expectation.getMeasuredMicros()),
        expectation.getMeasurements(),
        millis(expectation.getErrorMicros()),
        100 * expectation.getConfidence());
  }

  /** Describes the forecasts that would change the link's place in the tree, and its damping. */
  String decision() {
    LinkDecision decision = why.getDecision();
    String turning = millis(decision.getTurningPointMicros());
    String then;
    if (why.getLink().getTreeEdge()) {
      then = "It weighs more when the forecast is above " + turning + " ms";
    } else if (decision.getTurningPointMicros() > 0) {
      then =
          "It takes that edge's place when the forecast is below "
              + turning
              + " ms"
              + (decision.hasMeasurementsToGo()
                  ? ", or after " + moreMeasurements(decision) + " like the last"
                  : "");
    } else {
      then = "No forecast would be worth a change of the tree";
    }
    String damped =
        decision.getDamped()
            ? "it is damped: improvements wait until it has calmed down" + dampedFor(decision)
            : "it is not damped";
    return String.format(
        Locale.ROOT, "%s. Its changes count %.1f: %s.", then, decision.getPenalty(), damped);
  }

  private static String moreMeasurements(LinkDecision decision) {
    long toGo = decision.getMeasurementsToGo();
    return toGo + (toGo == 1 ? " more measurement" : " more measurements");
  }

  /** Returns the end of the damping; empty if an older agent does not report it. */
  private static String dampedFor(LinkDecision decision) {
    return decision.getDampedForMicros() == 0
        ? ""
        : String.format(
            Locale.ROOT,
            ", in %.0f s if it changes no more",
            Math.ceil(decision.getDampedForMicros() / MICROS_PER_SECOND));
  }

  private String history() {
    return why.getWeightsList().stream().map(LinkReason::ago).collect(Collectors.joining(", "));
  }

  private static String ago(AgreedWeight weight) {
    return millis(weight.getCost())
        + String.format(Locale.ROOT, " ms %.0f s ago", weight.getAgeMicros() / MICROS_PER_SECOND);
  }

  /** Returns a round trip in milliseconds: with one decimal, or three below 0.1 ms. */
  static String millis(long rttMicros) {
    return String.format(Locale.ROOT, rttMicros < 100 ? "%.3f" : "%.1f", rttMicros / 1000.0);
  }
}
