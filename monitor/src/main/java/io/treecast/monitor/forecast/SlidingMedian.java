package io.treecast.monitor.forecast;

/** Expects the median of the latest samples: spikes of less than half the window leave no trace. */
public final class SlidingMedian implements Forecaster {
  private final RecentValues recent;
  private final String name;

  /**
   * Creates a forecaster without samples.
   *
   * @param windowSamples how many of the latest samples count, 1 to 1,000
   */
  public SlidingMedian(int windowSamples) {
    recent = new RecentValues(windowSamples);
    name = "sliding-median-" + windowSamples;
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
    int middle = values.length / 2;
    return values.length % 2 == 1 ? values[middle] : (values[middle - 1] + values[middle]) / 2;
  }
}
