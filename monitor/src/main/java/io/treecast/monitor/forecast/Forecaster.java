package io.treecast.monitor.forecast;

/**
 * One method of forecasting a series: sees each sample once, in order, and predicts the next one.
 * One instance for each series. Single-threaded.
 *
 * <p>Implementations keep a bounded state, whatever the length of the series. They depend only on
 * the samples, and on values known at the time of the forecast.
 */
public interface Forecaster {

  /** Returns the name of this method in tables, with its parameters: {@code sliding-median-10}. */
  String name();

  /**
   * Returns the name to credit for the present {@link #forecast}: this method, unless it only
   * repeats another one.
   */
  default String creditedName() {
    return name();
  }

  /**
   * Takes in the next sample.
   *
   * @param value finite; callers that get samples from outside check them, as {@link
   *     ForecasterBank} does
   */
  void add(double value);

  /**
   * Returns the expected value of the next sample.
   *
   * @throws IllegalStateException before the first sample
   */
  double forecast();
}
