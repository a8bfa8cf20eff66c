package io.treecast.monitor.forecast;

/**
 * One method of forecasting a series: sees each sample once, in order, and says what the next one
 * will be. One instance for each series. Single-threaded.
 *
 * <p>Implementations keep a bounded state, whatever the length of the series, and depend on the
 * samples, and on what is known besides when they are asked.
 */
public interface Forecaster {

  /** What this method is called in tables, with its parameters: {@code sliding-median-10}. */
  String name();

  /**
   * Who is to be named for what {@link #forecast} says now: this method, unless it only repeats
   * another one.
   */
  default String speaker() {
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
   * The value to expect of the next sample.
   *
   * @throws IllegalStateException before the first sample
   */
  double forecast();
}
