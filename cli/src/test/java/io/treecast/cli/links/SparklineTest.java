package io.treecast.cli.links;

import static org.assertj.core.api.Assertions.assertThat;

import io.treecast.monitor.series.SeriesPoint;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class SparklineTest {
  @Test
  void shows_the_least_as_the_lowest_bar_and_the_greatest_as_the_highest() {
    List<SeriesPoint> rising =
        IntStream.range(0, 60).mapToObj(i -> new SeriesPoint(i, i / 30)).toList();

    assertThat(Sparkline.of(rising, StandardCharsets.UTF_8))
        .isEqualTo("▁".repeat(30) + "█".repeat(30));
    assertThat(Sparkline.of(rising, StandardCharsets.US_ASCII))
        .isEqualTo("_".repeat(30) + "#".repeat(30));
  }

  @Test
  void leaves_out_when_nothing_was_measured() {
    List<SeriesPoint> twice = List.of(new SeriesPoint(0, 5), new SeriesPoint(59, 5));

    assertThat(Sparkline.of(twice, StandardCharsets.UTF_8)).isEqualTo("▁" + " ".repeat(58) + "▁");
  }

  @Test
  void shows_one_point_as_one_bar() {
    assertThat(Sparkline.of(List.of(new SeriesPoint(7, 1_000)), StandardCharsets.UTF_8))
        .isEqualTo("▁");
  }
}
