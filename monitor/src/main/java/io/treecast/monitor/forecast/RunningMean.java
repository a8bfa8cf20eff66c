package io.treecast.monitor.forecast;

/**
 * Expects the mean of all samples: right for noise around a level that never moves. Kept by
 * Welford's recurrence, so that a long series loses no precision.
 */
public final class RunningMean implements Forecaster {
  private double mean;
  private long samples;

  @Override
  public String name() {
    return "running-mean";
  }

  @Override
  public void add(double value) {
    samples++;
    mean += (value - mean) / samples;
  }

  @Override
  public double forecast() {
    if (samples == 0) {
      throw new IllegalStateException("no sample yet");
    }
    return mean;
  }
}
