package io.treecast.testkit.trace;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.treecast.monitor.weight.SignificancePolicy;
import io.treecast.testkit.network.RoundTripTrace;
import io.treecast.testkit.network.RttUnit;
import io.treecast.testkit.network.TraceDirectory;
import io.treecast.testkit.trace.TraceReport.Slice;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.function.LongBinaryOperator;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Traces of six nodes in a line with 10 ms between neighbours and 100 ms between all other pairs.
 */
class TraceRunTest {
  private static final int NODES = 6;
  private static final Duration SLICE = Duration.ofSeconds(60);

  @TempDir private Path directory;
  private int slices;

  /** Adds a slice in which some pairs have another round trip. */
  private void slice(LongBinaryOperator millisOrMinusOne) throws IOException {
    StringBuilder text = new StringBuilder();
    for (int from = 0; from < NODES; from++) {
      for (int to = 0; to < NODES; to++) {
        long other = millisOrMinusOne.applyAsLong(Math.min(from, to), Math.max(from, to));
        long usual = Math.abs(from - to) == 1 ? 10 : 100;
        text.append(from == to ? 0 : other < 0 ? usual : other).append(' ');
      }
      text.append('\n');
    }
    Files.writeString(directory.resolve("slice_" + ++slices), text);
  }

  private static long usual(long from, long to) {
    return -1;
  }

  private static LongBinaryOperator pair(int low, int high, long millis) {
    return (from, to) -> from == low && to == high ? millis : -1;
  }

  private static long withoutFive(long from, long to) {
    return to == 5 ? 0 : -1;
  }

  private TraceReport run() throws IOException {
    RoundTripTrace trace = TraceDirectory.read(directory, RttUnit.MILLISECONDS, 1, 1_000);
    return TraceRun.run(trace, SLICE, SignificancePolicy.DEFAULT, 7);
  }

  @BeforeEach
  void twoUsualSlices() throws IOException {
    slice(TraceRunTest::usual);
    slice(TraceRunTest::usual);
  }

  @Test
  void a_network_that_stays_as_it_is_is_forecast_exactly_and_its_tree_stays() throws IOException {
    slice(TraceRunTest::usual);
    TraceReport report = run();
    assertThat(report.weightRatioMean()).isEqualTo(1);
    assertThat(report.sum(Slice::edgeChanges)).isZero();
    assertThat(report.sum(Slice::unspannedSeconds)).isZero();
    assertThat(report.forecastErrorMillis()).isZero();
    assertThat(report.slices().get(2).controlMessages()).isZero();
    assertThat(report.slices().get(2).errors().forecasts())
        .as("one measurement of each of 15 pairs")
        .isEqualTo(15);
    assertThat(report.builtMillis()).isLessThan(20_000);
  }

  @Test
  void an_edge_that_becomes_much_worse_is_replaced_when_the_forecast_says_so() throws IOException {
    for (int i = 0; i < 4; i++) {
      slice(pair(2, 3, 900));
    }
    TraceReport report = run();
    assertThat(report.slices().get(2).weightRatio())
        .as("a spike, as far as one knows")
        .isEqualTo(940 / 140.0);
    assertThat(report.slices().get(5).weightRatio()).isEqualTo(1);
    assertThat(report.sum(Slice::edgeChanges)).isEqualTo(1);
    assertThat(report.sum(Slice::edgeChangesLastValue)).isEqualTo(1);
  }

  @Test
  void a_link_that_becomes_a_little_better_is_not_worth_a_change() throws IOException {
    for (int i = 0; i < 4; i++) {
      slice(pair(0, 2, 6));
    }
    TraceReport report = run();
    assertThat(report.sum(Slice::edgeChanges)).isZero();
    assertThat(report.sum(Slice::edgeChangesLastValue)).isEqualTo(1);
    assertThat(report.slices().get(5).weightRatio()).isBetween(1.0, 1.1);
  }

  @Test
  void a_slightly_better_link_pays_for_a_change_in_time() throws IOException {
    for (int i = 0; i < 350; i++) {
      slice(pair(0, 2, 6));
    }
    TraceReport report = run();
    // A change costs 100 times 6 ms. A measurement saves 4 ms, of which 2 ms are insignificant, and
    // at first the forecast is not trusted.
    assertThat(report.slices().subList(0, 300)).allMatch(slice -> slice.edgeChanges() == 0);
    assertThat(report.sum(Slice::edgeChanges)).isEqualTo(1);
    assertThat(report.slices().get(351).weightRatio()).isEqualTo(1);
  }

  @Test
  void a_member_that_stops_answering_is_out_within_a_slice_and_its_return_costs_one_change()
      throws IOException {
    slice(TraceRunTest::withoutFive);
    slice(TraceRunTest::withoutFive);
    slice(TraceRunTest::usual);
    slice(TraceRunTest::usual);
    TraceReport report = run();
    assertThat(report.slices().get(2).edgeChanges()).isZero();
    assertThat(report.slices().get(2).controlMessages()).isBetween(1L, 40L);
    assertThat(report.slices().get(3).controlMessages()).as("out of the tree").isZero();
    assertThat(report.slices().get(3).weightRatio()).isEqualTo(1);
    assertThat(report.sum(Slice::edgeChanges)).isEqualTo(1);
    assertThat(report.slices().get(5).weightRatio()).isEqualTo(1);
    assertThat(report.slices().get(5).unspannedSeconds()).isZero();
  }

  @Test
  void a_tree_that_is_never_built_weighs_nothing_and_joins_no_node() throws IOException {
    // Handshakes end after ten seconds.
    directory = Files.createDirectory(directory.resolve("slow"));
    slice((from, to) -> 60_000);
    slice((from, to) -> 60_000);
    TraceReport report = run();
    assertThat(report.builtMillis()).isNull();
    assertThat(report.slices()).allMatch(slice -> Double.isNaN(slice.weightRatio()));
    assertThat(report.weightRatioMean()).isNaN();
    assertThat(report.weightRatioP95()).isNaN();
    assertThat(report.unspannedSlices()).isEqualTo(2);
    assertThat(report.sum(Slice::unspannedSeconds)).isEqualTo(2 * SLICE.toSeconds());
  }

  @Test
  void a_slice_at_whose_end_a_node_is_left_out_counts_for_no_weight() throws IOException {
    // A node this far away cannot be reached, and the others form a tree without it.
    slice((from, to) -> to == 5 ? 60_000 : -1);
    slice((from, to) -> to == 5 ? 60_000 : -1);
    TraceReport report = run();
    assertThat(report.unspannedSlices()).isEqualTo(2);
    assertThat(report.slices().get(3).weightRatio()).isNaN();
    assertThat(report.weightRatioMean()).as("of the two other slices").isEqualTo(1);
  }

  @Test
  void the_same_trace_and_seed_give_the_same_report() throws IOException {
    slice(pair(2, 3, 900));
    slice(pair(2, 3, 20));
    assertThat(run()).isEqualTo(run());
  }

  @Test
  void too_short_a_slice_is_refused() throws IOException {
    RoundTripTrace trace = TraceDirectory.read(directory, RttUnit.MILLISECONDS, 1, 1_000);
    assertThatIllegalArgumentException()
        .isThrownBy(
            () -> TraceRun.run(trace, Duration.ofSeconds(19), SignificancePolicy.DEFAULT, 7))
        .withMessage("slice is PT19S; allowed is PT20S to PT1H");
  }
}
