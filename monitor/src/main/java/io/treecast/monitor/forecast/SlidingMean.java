package io.treecast.monitor.forecast;

/** Expects the mean of the latest samples: noise around a level that moves slowly. */
public final class SlidingMean implements Forecaster {
  private final RecentValues recent;
  private final String name;

  /**
   * Creates a forecaster without samples.
   *
   * @param windowSamples how many of the latest samples count, 1 to 1,000
   */
  public SlidingMean(int windowSamples) {
    recent = new RecentValues(windowSamples);
    name = "sliding-mean-" + windowSamples;
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
    return recent.mean(recent.sizeOrThrow());
  }
}
