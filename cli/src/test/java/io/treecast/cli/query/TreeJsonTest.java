package io.treecast.cli.query;

import static org.assertj.core.api.Assertions.assertThat;

import io.treecast.ghs.LinkWeight;
import io.treecast.ghs.NodeId;
import io.treecast.monitor.throughput.BandwidthWeight;
import java.util.List;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.node.ArrayNode;

class TreeJsonTest {
  private static LinkWeight ofStep(int step) {
    return LinkWeight.between(NodeId.of("h1"), NodeId.of("h2"), BandwidthWeight.of(step, 500));
  }

  private static String json(MetricText metric, LinkWeight edge) {
    ArrayNode edges = TreeJson.object().putArray("tree");
    TreeJson.addEdges(edges, List.of(edge), metric);
    return edges.toString();
  }

  @Test
  void edges_that_are_too_fast_to_be_told_apart_are_marked() {
    assertThat(json(MetricText.BANDWIDTH, ofStep(BandwidthWeight.MAX_STEP)))
        .isEqualTo("[{\"a\":\"h1\",\"b\":\"h2\",\"throughputMbps\":1000.0,\"atLeast\":true}]");
    assertThat(json(MetricText.BANDWIDTH, ofStep(BandwidthWeight.MAX_STEP - 1)))
        .matches(".*\"throughputMbps\":8\\d\\d\\.\\d+,\"atLeast\":false}]");
  }

  @Test
  void values_that_are_not_measured_are_null() {
    assertThat(json(MetricText.BANDWIDTH, ofStep(BandwidthWeight.UNKNOWN)))
        .endsWith("\"throughputMbps\":null,\"atLeast\":false}]");
  }

  @Test
  void round_trips_are_milliseconds() {
    LinkWeight edge = LinkWeight.between(NodeId.of("h1"), NodeId.of("h2"), 1_500);
    assertThat(json(MetricText.LATENCY, edge))
        .isEqualTo("[{\"a\":\"h1\",\"b\":\"h2\",\"weightMillis\":1.5}]");
  }
}
