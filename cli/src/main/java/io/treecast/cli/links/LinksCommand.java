package io.treecast.cli.links;

import io.treecast.agent.core.contract.LinkState;
import io.treecast.agent.core.message.NetworkAddresses;
import io.treecast.agent.runtime.status.WidestLinkReason;
import io.treecast.cli.console.CommandFailure;
import io.treecast.cli.console.ExitCode;
import io.treecast.cli.console.OutputOption;
import io.treecast.cli.console.TextTable;
import io.treecast.cli.query.AgentInquiry;
import io.treecast.cli.query.AgentOption;
import io.treecast.cli.query.AgentReport;
import io.treecast.cli.query.AgentReport.LinkReport;
import io.treecast.cli.query.MemberDirectory;
import io.treecast.cli.query.TreeJson;
import io.treecast.proto.v1.Expectation;
import io.treecast.proto.v1.LinkQuality;
import io.treecast.proto.v1.ThroughputExpectation;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** {@code treecast links}. */
@Command(
    name = "links",
    description = {
      "Lists an agent's links: peer, state, latest measured round trip, its "
          + "forecast, mean error of the forecasts, agreed weight, jitter, loss, share "
          + "of discarded round trips, latest and expected throughput, membership in the "
          + "tree, and the forecaster of the round trip.",
      "Times are in milliseconds, throughput in megabits a second; the end with "
          + "the lower node id measures. 'old' marks a throughput from before the link "
          + "was last lost; '1x' and '2x' mark one from only one or two measurements, "
          + "which may be wrong.",
      "A round trip is discarded if the lateness of an agent at one end, which "
          + "lacks processor time, explains its length.",
      "For an absent member the list shows the time since any agent last heard "
          + "from it; finally it is dropped (links.forgetMillis).",
      "Sites are shown if any is configured."
    },
    mixinStandardHelpOptions = true,
    footer = {
      "",
      "Examples:",
      "  treecast links --agent 10.0.0.4:7700 --output json",
      "  treecast links --tree --sort weight",
      "  treecast links --peer h4"
    })
public final class LinksCommand implements Callable<Integer> {
  private static final List<String> HEADER =
      List.of(
          "peer",
          "address",
          "state",
          "measured",
          "forecast",
          "error",
          "weight ms",
          "jitter",
          "loss",
          "discarded",
          "Mbit/s",
          "expected",
          "tree",
          "confidence",
          "forecaster",
          "site");

  /** Columns of numbers. */
  private static final Set<Integer> NUMBERS =
      IntStream.rangeClosed(3, 11).boxed().collect(Collectors.toUnmodifiableSet());

  enum Order {
    PEER,
    WEIGHT,
    RTT,
    LOSS;

    @Override
    public String toString() {
      return name().toLowerCase(Locale.ROOT);
    }

    /**
     * Returns the order: the largest value first, unknown values last, ties by the ids of the
     * peers.
     */
    private Comparator<LinkReport> comparator() {
      Comparator<LinkReport> byPeer = Comparator.comparing(link -> link.peer().id());
      return switch (this) {
        case PEER -> byPeer;
        case WEIGHT ->
            Comparator.comparingLong(LinksCommand::weightMicros).reversed().thenComparing(byPeer);
        case RTT ->
            Comparator.<LinkReport>comparingLong(
                    link -> link.expectation() == null ? 0 : link.expectation().getMeasuredMicros())
                .reversed()
                .thenComparing(byPeer);
        case LOSS ->
            Comparator.<LinkReport>comparingInt(
                    link -> link.quality() == null ? -1 : link.quality().getLossPercent())
                .reversed()
                .thenComparing(byPeer);
      };
    }
  }

  @Option(
      names = "--peer",
      paramLabel = "ID[,...]",
      split = ",",
      description = "Only the links to these members.")
  private List<String> peers = List.of();

  @Option(names = "--tree", description = "Only edges of the tree.")
  private boolean onlyTree;

  @Option(
      names = "--sort",
      paramLabel = "ORDER",
      defaultValue = "peer",
      description =
          "By the id of the peer, or by weight, measured round trip or loss, the largest first:"
              + " ${COMPLETION-CANDIDATES}; default: ${DEFAULT-VALUE}.")
  private Order order = Order.PEER;

  @Mixin private AgentOption agent = new AgentOption();
  @Mixin private OutputOption output = new OutputOption();

  @Override
  public Integer call() {
    AgentReport report = report();
    List<LinkReport> links = chosen(report);
    if (output.isJson()) {
      output.println(json(report, links));
    } else if (links.isEmpty()) {
      output.println(
          "agent " + report.id() + " has no links" + (report.links().isEmpty() ? "" : " of these"));
    } else {
      printTable(links);
    }
    if (!output.isJson() && !report.refusal().isEmpty()) {
      output.note("treecast: a link was refused " + report.refusalText());
    }
    return ExitCode.OK;
  }

  private AgentReport report() {
    try (AgentInquiry agents = agent.inquiry(output)) {
      return agents.report();
    }
  }

  private List<LinkReport> chosen(AgentReport report) {
    for (String peer : peers) {
      MemberDirectory.checkName(peer);
      if (report.links().stream().noneMatch(link -> link.peer().id().toString().equals(peer))) {
        throw CommandFailure.failed(
            "agent "
                + report.id()
                + " knows no member '"
                + peer
                + "'; 'treecast members' lists all of them");
      }
    }
    return report.links().stream()
        .filter(link -> peers.isEmpty() || peers.contains(link.peer().id().toString()))
        .filter(link -> !onlyTree || link.treeEdge())
        .sorted(order.comparator())
        .toList();
  }

  private static ObjectNode json(AgentReport report, List<LinkReport> links) {
    ObjectNode json = TreeJson.object().put("node", report.id().toString());
    if (!report.refusal().isEmpty()) {
      json.put("refusal", report.refusal()).put("refusedMillis", report.refusedMillis());
    }
    ArrayNode array = json.putArray("links");
    for (LinkReport link : links) {
      Expectation expected =
          Objects.requireNonNullElse(link.expectation(), Expectation.getDefaultInstance());
      boolean isKnown = link.expectation() != null;
      LinkQuality quality = link.quality();
      ThroughputExpectation throughput = link.throughput();
      array
          .addObject()
          .put("peer", link.peer().id().toString())
          .put("address", NetworkAddresses.primary(link.peer().address()))
          .put("network", link.network().isEmpty() ? null : link.network())
          .put("state", link.state().name().toLowerCase(Locale.ROOT))
          .put("absentMillis", link.absentMillis())
          .put("site", link.site())
          .put("session", link.session())
          .put("rttLastMillis", TreeJson.measuredMillis(link.rttLastMicros()))
          .put("rttLeastMillis", TreeJson.measuredMillis(link.rttLeastMicros()))
          .put("measuredMillis", TreeJson.measuredMillis(expected.getMeasuredMicros()))
          .put("forecastMillis", TreeJson.measuredMillis(expected.getForecastMicros()))
          .put("errorMillis", isKnown ? (Double) error(expected) : null)
          .put("forecaster", isKnown ? expected.getForecaster() : null)
          .put("confidence", isKnown ? (Double) expected.getConfidence() : null)
          .put("jitterMillis", quality == null ? null : (Double) (quality.getJitterMicros() / 1e3))
          .put("lossPercent", quality == null ? null : (Integer) quality.getLossPercent())
          .put("discardedPercent", quality == null ? null : (Integer) quality.getDiscardedPercent())
          .put("throughputMbps", throughput == null ? null : mbps(throughput.getMeasuredKbps()))
          .put(
              "throughputForecastMbps",
              throughput == null ? null : mbps(throughput.getForecastKbps()))
          .put("throughputErrorMbps", throughput == null ? null : mbps(throughput.getErrorKbps()))
          .put("throughputForecaster", throughput == null ? null : throughput.getForecaster())
          .put(
              "throughputMeasurements",
              throughput == null ? null : (Long) throughput.getMeasurements())
          .put(
              "throughputFromEarlierSession",
              throughput == null ? null : (Boolean) throughput.getRemembered())
          .put("weightMillis", TreeJson.measuredMillis(weightMicros(link)))
          .put("treeEdge", link.treeEdge())
          .put("carriesData", link.carriesData());
    }
    return json;
  }

  private void printTable(List<LinkReport> links) {
    TextTable table = new TextTable(NUMBERS, HEADER);
    for (LinkReport link : links) {
      if (link.state() == LinkState.UNLINKED && link.absentMillis() == 0) {
        continue;
      }
      Expectation expected = link.expectation();
      LinkQuality quality = link.quality();
      ThroughputExpectation throughput = link.throughput();
      table.add(
          List.of(
              link.peer().id().toString(),
              link.addressText(),
              link.stateText(),
              expected == null ? "-" : millis(expected.getMeasuredMicros()),
              expected == null ? "-" : millis(expected.getForecastMicros()),
              expected == null ? "-" : thousandths(expected.getErrorMicros()),
              millis(weightMicros(link)),
              quality == null ? "-" : thousandths(quality.getJitterMicros()),
              quality == null ? "-" : quality.getLossPercent() + " %",
              quality == null ? "-" : quality.getDiscardedPercent() + " %",
              throughput == null ? "-" : measured(throughput),
              throughput == null ? "-" : thousandths(throughput.getForecastKbps()),
              link.treeEdge() ? "yes" : "-",
              expected == null ? "-" : Math.round(100 * expected.getConfidence()) + " %",
              expected == null ? "-" : expected.getForecaster(),
              link.site() == null ? "-" : link.site()));
    }
    boolean showsSites = links.stream().anyMatch(link -> link.site() != null);
    int columns = showsSites ? HEADER.size() : HEADER.size() - 1;
    table.lines(columns).forEach(output::println);
  }

  private static String measured(ThroughputExpectation throughput) {
    return thousandths(throughput.getMeasuredKbps()) + mark(throughput);
  }

  private static String mark(ThroughputExpectation throughput) {
    if (throughput.getRemembered()) {
      return " old";
    }
    long measurements = throughput.getMeasurements();
    return measurements > WidestLinkReason.FEW_MEASUREMENTS ? "" : " " + measurements + "x";
  }

  private static double error(Expectation expected) {
    return expected.getErrorMicros() / 1e3;
  }

  private static long weightMicros(LinkReport link) {
    return link.weight() == null ? 0 : link.weight().cost();
  }

  private static String millis(long micros) {
    return micros == 0 ? "-" : thousandths(micros);
  }

  /** Returns microseconds as milliseconds, or kilobits as megabits. */
  private static String thousandths(long value) {
    return String.format(Locale.ROOT, "%.3f", value / 1e3);
  }

  private static Double mbps(long kbps) {
    return kbps / 1e3;
  }
}
