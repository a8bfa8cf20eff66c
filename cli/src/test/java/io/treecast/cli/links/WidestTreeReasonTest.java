package io.treecast.cli.links;

import static org.assertj.core.api.Assertions.assertThat;

import io.treecast.agent.config.HostPort;
import io.treecast.agent.core.message.Member;
import io.treecast.cli.query.AgentInquiry;
import io.treecast.ghs.NodeId;
import io.treecast.monitor.throughput.BandwidthWeight;
import io.treecast.proto.v1.AgreedWeight;
import io.treecast.proto.v1.ExplainLinkResponse;
import io.treecast.proto.v1.LinkState;
import io.treecast.proto.v1.LinkWeight;
import io.treecast.proto.v1.ThroughputExpectation;
import java.util.List;
import org.junit.jupiter.api.Test;

class WidestTreeReasonTest {
  /** Never asked, since the ends of the link have agreed on a weight. */
  private static final AgentInquiry NOBODY = AgentInquiry.inPlainText(new HostPort("127.0.0.1", 1));

  private static final int OF_10_MBPS = BandwidthWeight.step(BandwidthWeight.UNKNOWN, 10_000);
  private static final int OF_100_MBPS = BandwidthWeight.step(BandwidthWeight.UNKNOWN, 100_000);

  private static LinkWeight weight(String low, String high, int step, long rttMicros) {
    return LinkWeight.newBuilder()
        .setLow(low)
        .setHigh(high)
        .setCost(BandwidthWeight.of(step, rttMicros))
        .build();
  }

  /** Returns the reason for h1-h2, with a path between its ends over h3. */
  private static WidestTreeReason reason(boolean isEdge, int step, int onPath, long turningKbps) {
    ExplainLinkResponse.Builder why = ExplainLinkResponse.newBuilder();
    why.getLinkBuilder()
        .setState(LinkState.LINK_STATE_UP)
        .setTreeEdge(isEdge)
        .setBandwidthWeight(weight("h1", "h2", step, 400));
    why.setHeaviestOnPath(weight("h1", "h3", onPath, 300))
        .addWeights(
            AgreedWeight.newBuilder()
                .setCost(BandwidthWeight.of(step, 400))
                .setAgeMicros(7_000_000));
    why.getDecisionBuilder().setTurningPointKbps(turningKbps);
    return new WidestTreeReason(
        new Member(NodeId.of("h1"), "127.0.0.1:1"),
        new Member(NodeId.of("h2"), "127.0.0.1:2"),
        why.build());
  }

  @Test
  void a_narrow_link_says_which_one_is_wider_and_what_it_would_take() {
    assertThat(reason(false, OF_10_MBPS, OF_100_MBPS, 121_234).lines(NOBODY))
        .satisfiesExactly(
            line -> assertThat(line).startsWith("h1-h2 "),
            line -> assertThat(line).contains(" 9.4 Mbit/s", " h1-h3, ", " 109.5 Mbit/s"),
            line -> assertThat(line).contains(" 121.2 Mbit/s"),
            line -> assertThat(line).contains(" 9.4 Mbit/s 7 s "));
  }

  @Test
  void among_links_that_count_alike_the_round_trips_are_named() {
    int fastest = BandwidthWeight.MAX_STEP;
    assertThat(reason(false, fastest, fastest, 0).lines(NOBODY))
        .anyMatch(line -> line.contains(" >= 1000.0 Mbit/s") && line.contains(" 0.4 and 0.3 ms"))
        .filteredOn(line -> line.contains("Mbit/s"))
        .as("no throughput makes it an edge")
        .hasSize(2);
  }

  @Test
  void an_edge_says_below_which_throughput_it_counts_as_less() {
    assertThat(reason(true, OF_100_MBPS, OF_100_MBPS, 70_100).lines(NOBODY))
        .satisfiesExactly(
            line ->
                assertThat(line)
                    .startsWith("h1-h2 ")
                    .isNotEqualTo(reason(false, OF_10_MBPS, OF_100_MBPS, 1).lines(NOBODY).get(0)),
            line -> assertThat(line).contains(" 109.5 Mbit/s").doesNotContain("h1-h3"),
            line -> assertThat(line).contains(" 70.1 Mbit/s"),
            line -> assertThat(line).contains(" 109.5 Mbit/s 7 s "));
  }

  @Test
  void a_link_that_is_not_measured_says_so() {
    List<String> lines = reason(false, BandwidthWeight.UNKNOWN, OF_10_MBPS, 9_000).lines(NOBODY);
    assertThat(lines.get(1)).contains(" h1-h3, ", " 9.4 Mbit/s");
    assertThat(lines).last().asString().contains(" 7 s ").doesNotContain("Mbit/s");
  }

  @Test
  void measurements_from_before_the_loss_of_the_link_are_marked() {
    WidestTreeReason reason = reason(true, OF_10_MBPS, OF_10_MBPS, 5_000);
    ExplainLinkResponse.Builder why = reason.why().toBuilder();
    why.getLinkBuilder().getThroughputBuilder().setMeasuredKbps(9_500).setRemembered(true);
    WidestTreeReason remembered = new WidestTreeReason(reason.owner(), reason.peer(), why.build());
    assertThat(remembered.lines(NOBODY).get(2)).contains(" 9.5 Mbit/s, ");
    assertThat(remembered.json().get("fromEarlierSession").asBoolean()).isTrue();
  }

  @Test
  void the_forecast_is_in_both_forms() {
    WidestTreeReason reason = reason(false, OF_10_MBPS, OF_100_MBPS, 121_234);
    ExplainLinkResponse.Builder why = reason.why().toBuilder();
    why.getLinkBuilder()
        .setThroughput(
            ThroughputExpectation.newBuilder()
                .setMeasuredKbps(9_500)
                .setForecastKbps(9_700)
                .setErrorKbps(250)
                .setForecaster("last-value")
                .setMeasurements(12));
    WidestTreeReason measured = new WidestTreeReason(reason.owner(), reason.peer(), why.build());
    assertThat(measured.lines(NOBODY).get(2))
        .contains(" 9.7 Mbit/s (last-value), ", " 9.5 Mbit/s. ")
        .endsWith(" 12 measurements is 0.3 Mbit/s.");
    assertThat(measured.json().toString())
        .startsWith("{\"a\":\"h1\",\"b\":\"h2\",\"state\":\"up\",\"treeEdge\":false,")
        .contains(
            "\"measuredMbps\":9.5,\"forecastMbps\":9.7,\"errorMbps\":0.25,\"forecaster\":\"last-value\","
                + "\"measurements\":12,\"fromEarlierSession\":false,\"turningPointMbps\":121.234,")
        .contains("\"heaviestOnPath\":{\"a\":\"h1\",\"b\":\"h3\",\"throughputMbps\":109.4")
        .contains("\"secondsAgo\":7.0}]");

    why.getLinkBuilder().getThroughputBuilder().setMeasurements(2);
    WidestTreeReason young = new WidestTreeReason(reason.owner(), reason.peer(), why.build());
    assertThat(young.lines(NOBODY).get(2)).contains(" 2 measurements is 0.3 Mbit/s. ");
  }
}
