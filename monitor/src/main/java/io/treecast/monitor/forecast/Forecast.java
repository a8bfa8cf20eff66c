package io.treecast.monitor.forecast;

/**
 * The prediction of a {@link ForecasterBank} for the next sample.
 *
 * @param value the expected value, in the unit of the samples
 * @param forecaster name of the forecaster that made it
 * @param meanAbsoluteError mean absolute error of the bank's choices so far, which is the expected
 *     error of {@code value}, in the unit of the samples; 0 before the second sample
 * @param samples number of samples of the series
 */
public record Forecast(double value, String forecaster, double meanAbsoluteError, long samples) {

  /**
   * Returns the confidence in the value: 1 without errors so far, 0 if they are as large as the
   * value, or if there is none to judge by yet.
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
