package io.treecast.monitor.forecast;

import java.util.function.ToDoubleFunction;

/**
 * Expects a statistic of the latest samples.
 *
 * <p>The median ignores spikes of less than half the window. The lower median and the lower mean
 * take the shorter of two different samples, because disturbances make a round trip longer. That
 * matters while a series is young, and in large clusters most are. With three samples the lower
 * mean also uses the least, so it follows a link that becomes faster more closely.
 */
public final class SlidingWindow implements Forecaster {
  private final RecentValues recent;
  private final String name;
  private final ToDoubleFunction<double[]> statistic;

  private SlidingWindow(String name, int windowSamples, ToDoubleFunction<double[]> statistic) {
    this.recent = new RecentValues(windowSamples);
    this.name = name + "-" + windowSamples;
    this.statistic = statistic;
  }

  /**
   * Creates a forecaster by the median.
   *
   * @param windowSamples how many of the latest samples count, 1 to 1,000
   */
  public static Forecaster median(int windowSamples) {
    return new SlidingWindow(
        "sliding-median",
        windowSamples,
        sorted -> (sorted[(sorted.length - 1) / 2] + sorted[sorted.length / 2]) / 2);
  }

  /**
   * Creates a forecaster by the median; of an even number, the lower of the two in the middle.
   *
   * @param windowSamples how many of the latest samples count, 1 to 1,000
   */
  public static Forecaster lowerMedian(int windowSamples) {
    return new SlidingWindow(
        "lower-median", windowSamples, sorted -> sorted[(sorted.length - 1) / 2]);
  }

  /**
   * Creates a forecaster by the mean of the lower half, including the sample in the middle.
   *
   * @param windowSamples how many of the latest samples count, 1 to 1,000
   */
  public static Forecaster lowerMean(int windowSamples) {
    return new SlidingWindow("lower-mean", windowSamples, SlidingWindow::meanOfLowerHalf);
  }

  private static double meanOfLowerHalf(double[] sorted) {
    int lower = (sorted.length + 1) / 2;
    double sum = 0;
    for (int i = 0; i < lower; i++) {
      sum += sorted[i];
    }
    return sum / lower;
  }

  @Override
  public String name() {
    return name;
  }

  @Override
  public void add(double value) {
    recent.add(value);
  }

  @Override
  public double forecast() {
    return statistic.applyAsDouble(recent.sorted());
  }
}
