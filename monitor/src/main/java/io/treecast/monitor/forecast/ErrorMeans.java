package io.treecast.monitor.forecast;

/**
 * Fading means of the absolute and squared errors of one forecaster: each error weighs {@code
 * retention} times as much as the one after it. Single-threaded.
 */
final class ErrorMeans {
  private final double retention;
  private double absoluteSum;
  private double squaredSum;
  private double weight;

  ErrorMeans(double retention) {
    this.retention = retention;
  }

  void add(double error) {
    absoluteSum = absoluteSum * retention + Math.abs(error);
    squaredSum = squaredSum * retention + error * error;
    weight = weight * retention + 1;
  }

  double meanAbsolute() {
    return weight == 0 ? 0 : absoluteSum / weight;
  }

  double meanSquared() {
    return weight == 0 ? 0 : squaredSum / weight;
  }

  /** Returns the effective number of errors: fewer than were added, because old ones fade. */
  double weight() {
    return weight;
  }
}
