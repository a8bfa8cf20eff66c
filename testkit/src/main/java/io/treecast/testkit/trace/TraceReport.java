package io.treecast.testkit.trace;

import io.treecast.monitor.forecast.ErrorTotals;
import io.treecast.monitor.forecast.LastValue;
import java.util.Arrays;
import java.util.List;
import java.util.function.ToDoubleFunction;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;

/**
 * The results of agents on a recorded network.
 *
 * @param nodes the number of nodes
 * @param builtMillis the time at which a tree first spanned all nodes; null if none did
 * @param forecasters the names of the forecasters, in the order of their errors below
 * @param slices one entry for each slice of the recording
 */
public record TraceReport(
    int nodes, @Nullable Double builtMillis, List<String> forecasters, List<Slice> slices) {

  /**
   * One slice.
   *
   * @param number the recorded number
   * @param treeMicros weight of the tree's edges at the end of the slice, by the slice's round
   *     trips; an edge without an answer counts with its last round trip
   * @param minimumMicros weight of the minimum spanning tree of the pairs that answer
   * @param linkedMinimumMicros weight of the minimum spanning tree of the pairs that answer and are
   *     linked at the end of the slice; 0 if they do not connect all nodes that answer
   * @param links number of linked pairs at the end of the slice
   * @param mostLinks highest number of links of an agent
   * @param edgeChanges number of edges of the tree at the end of the slice that were not in the
   *     tree at the end of the previous slice
   * @param edgeChangesLastValue the same number for the minimum spanning trees of the slices, as if
   *     the tree followed the last values
   * @param edgesCommitted number of edges that any commit has added, even temporarily
   * @param controlMessages number of messages of the tree
   * @param probes number of sent probes
   * @param errors errors of the forecasts, in microseconds
   * @param unspannedSeconds time in which the tree did not connect all nodes that the answering
   *     pairs connect, from the first tree on; the whole time without a tree
   * @param spanned whether the tree connects them at the end of the slice
   */
  public record Slice(
      int number,
      long treeMicros,
      long minimumMicros,
      long linkedMinimumMicros,
      int links,
      int mostLinks,
      int edgeChanges,
      int edgeChangesLastValue,
      int edgesCommitted,
      long controlMessages,
      long probes,
      ErrorTotals errors,
      int unspannedSeconds,
      boolean spanned) {

    /**
     * Returns the weight of the tree divided by that of the minimum spanning tree; NaN if no pair
     * answers, or if the tree does not connect all nodes that answer, since a partial tree is
     * lighter.
     */
    public double weightRatio() {
      return minimumMicros == 0 || !spanned ? Double.NaN : treeMicros / (double) minimumMicros;
    }

    Slice withUnspannedSeconds(int seconds) {
      return new Slice(
          number,
          treeMicros,
          minimumMicros,
          linkedMinimumMicros,
          links,
          mostLinks,
          edgeChanges,
          edgeChangesLastValue,
          edgesCommitted,
          controlMessages,
          probes,
          errors,
          seconds,
          spanned);
    }

    /**
     * Returns the cost of the choice of links: the weight of the minimum spanning tree of the links
     * divided by that of all pairs; NaN if the links do not connect all nodes that answer.
     */
    public double overlayRatio() {
      return linkedMinimumMicros == 0 || minimumMicros == 0
          ? Double.NaN
          : linkedMinimumMicros / (double) minimumMicros;
    }
  }

  /** Returns the mean {@link Slice#overlayRatio} of the slices that have one. */
  public double overlayRatioMean() {
    return slices.stream()
        .mapToDouble(Slice::overlayRatio)
        .filter(Double::isFinite)
        .average()
        .orElse(Double.NaN);
  }

  /** Returns the mean number of links of an agent over the slices. */
  public double linksMean() {
    return nodes == 0 || slices.isEmpty()
        ? 0
        : 2.0 * sum(Slice::links) / ((double) nodes * slices.size());
  }

  /** Returns the highest number of links of an agent at the end of a slice. */
  public int linksMost() {
    return slices.stream().mapToInt(Slice::mostLinks).max().orElse(0);
  }

  /** Copies the lists. */
  public TraceReport {
    forecasters = List.copyOf(forecasters);
    slices = List.copyOf(slices);
  }

  private double[] ratios() {
    return slices.stream()
        .mapToDouble(Slice::weightRatio)
        .filter(Double::isFinite)
        .sorted()
        .toArray();
  }

  /**
   * Returns the number of slices at whose end the tree does not connect all nodes that answer; they
   * have no ratio.
   */
  public long unspannedSlices() {
    return slices.stream().filter(slice -> !slice.spanned()).count();
  }

  /** Returns whether a pair answers in any slice. */
  public boolean anyPairAnswers() {
    return slices.stream().anyMatch(slice -> slice.minimumMicros() > 0);
  }

  /** Returns the mean ratio of the slices that have one. */
  public double weightRatioMean() {
    return Arrays.stream(ratios()).average().orElse(Double.NaN);
  }

  /** Returns the 95th percentile of the ratios. */
  public double weightRatioP95() {
    double[] ratios = ratios();
    return ratios.length == 0 ? Double.NaN : ratios[(int) Math.ceil(0.95 * ratios.length) - 1];
  }

  /** Returns the sum of a count over all slices. */
  public long sum(ToLongFunction<Slice> count) {
    return slices.stream().mapToLong(count).sum();
  }

  /** Returns the mean absolute error of all forecasts, in milliseconds; NaN without forecasts. */
  public double forecastErrorMillis() {
    return errorMillis(ErrorTotals::ofChosen);
  }

  /** Returns the mean absolute error of one forecaster, in milliseconds. */
  public double errorMillis(int forecaster) {
    return errorMillis(errors -> errors.byForecaster().get(forecaster));
  }

  private double errorMillis(ToDoubleFunction<ErrorTotals> sum) {
    double micros = slices.stream().map(Slice::errors).mapToDouble(sum).sum();
    long forecasts = sum(slice -> slice.errors().forecasts());
    return forecasts == 0 ? Double.NaN : micros / forecasts / 1e3;
  }

  /** Returns the index of the forecaster that predicts the last value. */
  public int lastValue() {
    return forecasters.indexOf(new LastValue().name());
  }

  /** Returns the index of the forecaster with the least error over all links. */
  public int bestSingle() {
    int best = 0;
    for (int i = 1; i < forecasters.size(); i++) {
      if (errorMillis(i) < errorMillis(best)) {
        best = i;
      }
    }
    return best;
  }
}
