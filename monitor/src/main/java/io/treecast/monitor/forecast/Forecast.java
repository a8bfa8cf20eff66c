package io.treecast.monitor.forecast;

/**
 * What a {@link ForecasterBank} says about the next sample.
 *
 * @param value the value to expect, in the unit of the samples
 * @param forecaster the name of the one that says so
 * @param meanAbsoluteError how wrong the bank's choices were so far, on average: the error to
 *     expect of {@code value}; in the unit of the samples; 0 before the second sample
 * @param meanSquaredError the same of the squared errors
 * @param samples how many samples the series has had
 */
public record Forecast(
    double value,
    String forecaster,
    double meanAbsoluteError,
    double meanSquaredError,
    long samples) {

  /**
   * How much of the value is believed: 1 where the error so far is nothing, 0 where it is as large
   * as the value, or where there is no error to judge by yet.
   */
  public double confidence() {
    if (samples < 2) {
      return 0;
    }
    if (meanAbsoluteError == 0) {
      return 1;
    }
    return Math.max(0, 1 - meanAbsoluteError / Math.abs(value));
  }
}
