package io.treecast.monitor.forecast;

/**
 * Expects a mean in which a sample counts {@code 1 - gain} times as much as the one after it.
 * Starts with the first sample.
 */
public final class ExponentialSmoothing implements Forecaster {
  private final double gain;
  private final String name;
  private double level = Double.NaN;

  /**
   * Creates a forecaster without samples.
   *
   * @param gain the part of the latest deviation that is believed, above 0 and at most 1
   */
  public ExponentialSmoothing(double gain) {
    if (!(gain > 0 && gain <= 1)) {
      throw new IllegalArgumentException("gain is " + gain + "; allowed is above 0 to 1");
    }
    this.gain = gain;
    this.name = "smoothing-" + gain;
  }

  @Override
  public String name() {
    return name;
  }

  @Override
  public void add(double value) {
    level = Double.isNaN(level) ? value : level + gain * (value - level);
  }

  @Override
  public double forecast() {
    if (Double.isNaN(level)) {
      throw new IllegalStateException("no sample yet");
    }
    return level;
  }
}
