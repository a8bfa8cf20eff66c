package io.treecast.monitor.forecast;

/**
 * Expects the median of the latest samples; of an even number, the lower of the two in the middle.
 *
 * <p>Why beside {@link SlidingMedian}, which takes their mean: disturbances make a round trip
 * longer, so the shorter of two different samples is the better guess. It matters while a series is
 * young, and in large clusters most are.
 */
public final class LowerMedian implements Forecaster {
  private final RecentValues recent;
  private final String name;

  /**
   * Creates a forecaster without samples.
   *
   * @param windowSamples how many of the latest samples count, 1 to 1,000
   */
  public LowerMedian(int windowSamples) {
    recent = new RecentValues(windowSamples);
    name = "lower-median-" + windowSamples;
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
    double[] values = recent.sorted();
    return values[(values.length - 1) / 2];
  }
}
