package io.treecast.monitor.forecast;

/**
 * Expects the mean of the middle of the latest samples: between the sliding mean, which spikes
 * disturb, and the sliding median, which uses little of its input.
 */
public final class TrimmedMean implements Forecaster {
  /** The largest part that may be left out at each side. */
  public static final double MAX_TRIMMED_SHARE = 0.49;

  private final RecentValues recent;
  private final double trimmedShare;
  private final String name;

  /**
   * Creates a forecaster without samples.
   *
   * @param windowSamples how many of the latest samples count, 1 to 1,000
   * @param trimmedShare the part of them to leave out at each side, rounded down to whole samples;
   *     0 to {@value #MAX_TRIMMED_SHARE}
   */
  public TrimmedMean(int windowSamples, double trimmedShare) {
    if (!(trimmedShare >= 0 && trimmedShare <= MAX_TRIMMED_SHARE)) {
      throw new IllegalArgumentException(
          "trimmedShare is " + trimmedShare + "; allowed is 0 to " + MAX_TRIMMED_SHARE);
    }
    this.recent = new RecentValues(windowSamples);
    this.trimmedShare = trimmedShare;
    this.name = "trimmed-mean-" + windowSamples;
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
    double[] values = recent.sorted(recent.sizeOrThrow());
    int trimmed = (int) (values.length * trimmedShare);
    double sum = 0;
    for (int i = trimmed; i < values.length - trimmed; i++) {
      sum += values[i];
    }
    return sum / (values.length - 2 * trimmed);
  }
}
