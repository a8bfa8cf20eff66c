package io.treecast.monitor.forecast;

/**
 * Expects the mean of the lower half of the latest samples, including the one in the middle.
 *
 * <p>Why: as {@link LowerMedian}, it takes the shorter of two different samples, because
 * disturbances make a round trip longer. With three values it also uses the least, so it follows a
 * link that becomes faster more closely.
 */
public final class LowerMean implements Forecaster {
  private final RecentValues recent;
  private final String name;

  /**
   * Creates a forecaster without samples.
   *
   * @param windowSamples how many of the latest samples count, 1 to 1,000
   */
  public LowerMean(int windowSamples) {
    recent = new RecentValues(windowSamples);
    name = "lower-mean-" + windowSamples;
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
    int lower = (values.length + 1) / 2;
    double sum = 0;
    for (int i = 0; i < lower; i++) {
      sum += values[i];
    }
    return sum / lower;
  }
}
