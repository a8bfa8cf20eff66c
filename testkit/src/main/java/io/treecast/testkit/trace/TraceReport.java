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
 * @param nodes how many there were
 * @param builtMillis when their first tree spanned them all; null if none ever did
 * @param forecasters the names of the forecasters, in the order of their errors below
 * @param slices one entry for each slice of the recording
 */
public record TraceReport(
    int nodes, @Nullable Double builtMillis, List<String> forecasters, List<Slice> slices) {

  /**
   * One slice.
   *
   * @param number the number that it was recorded under
   * @param treeMicros what the edges of the tree in use weigh at its end, by its round trips; an
   *     edge that does not answer counts with what it last took
   * @param minimumMicros what the minimum spanning tree of the pairs that answer weighs
   * @param linkedMinimumMicros what the minimum spanning tree of those pairs weighs that are linked
   *     at its end; 0 if they do not join all that answer
   * @param links how many pairs are linked at its end
   * @param mostLinks most links of one agent
   * @param edgeChanges edges of the tree at its end that were not in the tree at the end of the
   *     slice before
   * @param edgeChangesLastValue the same of the slices' minimum spanning trees: what following the
   *     last value makes
   * @param edgesCommitted edges that came into the tree with any commit, if only for a while
   * @param controlMessages messages for the tree
   * @param probes probes that were sent
   * @param errors of the forecasts of its measurements, in microseconds
   * @param unspannedSeconds how long the tree did not join all nodes that pairs that answer join;
   *     from the first tree on, or all the time if there never was one
   * @param spanned whether it joins them at its end
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
     * Returns the weight of the tree over that of the minimum spanning tree; NaN if nobody answers,
     * or if the tree does not join all that do: pieces of a tree are light.
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
     * The cost of the choice of links: the minimum spanning tree of the links over that of all
     * pairs; NaN if links do not join all that answer.
     */
    public double overlayRatio() {
      return linkedMinimumMicros == 0 || minimumMicros == 0
          ? Double.NaN
          : linkedMinimumMicros / (double) minimumMicros;
    }
  }

  /** Returns the mean of what the choice of links costs, over the slices in which they join all. */
  public double overlayRatioMean() {
    return slices.stream()
        .mapToDouble(Slice::overlayRatio)
        .filter(Double::isFinite)
        .average()
        .orElse(Double.NaN);
  }

  /** Returns how many links an agent has on average, over the slices. */
  public double linksMean() {
    return nodes == 0 || slices.isEmpty()
        ? 0
        : 2.0 * sum(Slice::links) / ((double) nodes * slices.size());
  }

  /** Most links that an agent had at the end of a slice. */
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
   * Returns how many slices end with a tree that does not join all that answer: they have no ratio.
   */
  public long unspannedSlices() {
    return slices.stream().filter(slice -> !slice.spanned()).count();
  }

  /** Returns whether there was anything to build a tree of. */
  public boolean anyPairAnswers() {
    return slices.stream().anyMatch(slice -> slice.minimumMicros() > 0);
  }

  /** The mean ratio of the slices that have one. */
  public double weightRatioMean() {
    return Arrays.stream(ratios()).average().orElse(Double.NaN);
  }

  /** The ratio that 95 % of these slices do not exceed. */
  public double weightRatioP95() {
    double[] ratios = ratios();
    return ratios.length == 0 ? Double.NaN : ratios[(int) Math.ceil(0.95 * ratios.length) - 1];
  }

  /** Returns the sum over all slices. */
  public long sum(ToLongFunction<Slice> count) {
    return slices.stream().mapToLong(count).sum();
  }

  /** Returns the mean absolute error of all forecasts, in milliseconds; NaN if there were none. */
  public double forecastErrorMillis() {
    return errorMillis(ErrorTotals::ofChosen);
  }

  /** The same of one forecaster alone. */
  public double errorMillis(int forecaster) {
    return errorMillis(errors -> errors.byForecaster().get(forecaster));
  }

  private double errorMillis(ToDoubleFunction<ErrorTotals> sum) {
    double micros = slices.stream().map(Slice::errors).mapToDouble(sum).sum();
    long forecasts = sum(slice -> slice.errors().forecasts());
    return forecasts == 0 ? Double.NaN : micros / forecasts / 1e3;
  }

  /** The index of the forecaster that expects what came last. */
  public int lastValue() {
    return forecasters.indexOf(new LastValue().name());
  }

  /** The index of the forecaster that was least wrong on all links together. */
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
