package io.treecast.monitor.forecast;

/**
 * Expects that the next sample's deviation from the mean is a fixed part of the latest one's. The
 * part is the least-squares slope of each sample in the window over the one before it, held within
 * -1 and 1, beyond which forecasts would run away. A series that has not varied forecasts its mean.
 */
public final class FirstOrderAutoregression implements Forecaster {
  /** With fewer pairs of samples the slope is a guess. */
  private static final int LEAST_SAMPLES = 4;

  private final RecentValues recent;
  private final String name;

  /**
   * Creates a forecaster without samples.
   *
   * @param windowSamples how many of the latest samples the slope is fitted to, 4 to 1,000; with
   *     fewer than 4 samples the last value is the forecast
   */
  public FirstOrderAutoregression(int windowSamples) {
    if (windowSamples < LEAST_SAMPLES) {
      throw new IllegalArgumentException(
          "windowSamples is " + windowSamples + "; the least is " + LEAST_SAMPLES);
    }
    recent = new RecentValues(windowSamples);
    name = "autoregression-" + windowSamples;
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
    int count = recent.sizeOrThrow();
    if (count < LEAST_SAMPLES) {
      return recent.latest(0);
    }
    int pairs = count - 1;
    double beforeMean = 0;
    double afterMean = 0;
    for (int age = 0; age < pairs; age++) {
      afterMean += recent.latest(age) / pairs;
      beforeMean += recent.latest(age + 1) / pairs;
    }
    double covariance = 0;
    double variance = 0;
    for (int age = 0; age < pairs; age++) {
      double before = recent.latest(age + 1) - beforeMean;
      covariance += before * (recent.latest(age) - afterMean);
      variance += before * before;
    }
    double slope = variance > 0 ? Math.max(-1, Math.min(1, covariance / variance)) : 0;
    return afterMean + slope * (recent.latest(0) - beforeMean);
  }
}
