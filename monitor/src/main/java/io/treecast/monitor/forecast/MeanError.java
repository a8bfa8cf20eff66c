package io.treecast.monitor.forecast;

/**
 * The fading mean of the absolute errors of one forecaster: each error weighs {@code retention}
 * times as much as the one after it. Single-threaded.
 */
final class MeanError {
  private final double retention;
  private double absoluteSum;
  private double weight;

  MeanError(double retention) {
    this.retention = retention;
  }

  void add(double error) {
    absoluteSum = absoluteSum * retention + Math.abs(error);
    weight = weight * retention + 1;
  }

  double mean() {
    return weight == 0 ? 0 : absoluteSum / weight;
  }

  /** Returns the effective number of errors: fewer than were added, because old ones fade. */
  double weight() {
    return weight;
  }
}
