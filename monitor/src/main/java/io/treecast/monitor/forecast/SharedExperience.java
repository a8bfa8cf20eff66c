package io.treecast.monitor.forecast;

import java.util.Arrays;

/**
 * The performance of the forecasters over all series of one agent, which guides a {@link
 * ForecasterBank} until its own series is long enough. One instance for all links of an agent, for
 * one resource; banks that share it have the same forecasters in the same order. Its state is two
 * numbers for each forecaster.
 *
 * <p>Why: the least of twenty errors of a few samples each is a matter of luck. Links of an agent
 * suffer similar disturbances, and many links show early what a single one shows late.
 *
 * <p>Single-threaded, on the thread of the banks.
 */
public final class SharedExperience {
  /**
   * The weight of an error, relative to the one after it: the last few thousand samples of all
   * links decide.
   */
  private static final double RETENTION = 0.9998;

  /**
   * The cap of an error, as a multiple of the mean error of the series; otherwise a few very
   * disturbed links would decide for the others.
   */
  private static final double MOST_RELATIVE_ERROR = 3;

  private final double[] sums;

  /** The sum over all forecasters. */
  private double total;

  private final double[] absoluteErrors;
  private double absoluteErrorOfChosen;
  private long forecasts;

  /**
   * Creates an empty experience, for banks of the {@linkplain Forecasters#standard() standard
   * forecasters}.
   */
  public SharedExperience() {
    this(Forecasters.standard().size());
  }

  /**
   * Creates an empty experience.
   *
   * @param forecasters number of forecasters of each bank, at least 1
   */
  public SharedExperience(int forecasters) {
    if (forecasters < 1) {
      throw new IllegalArgumentException("forecasters is " + forecasters + "; the least is 1");
    }
    sums = new double[forecasters];
    absoluteErrors = new double[forecasters];
  }

  int forecasters() {
    return sums.length;
  }

  /**
   * Takes in the errors of all forecasters about one sample of a series.
   *
   * @param absolute the absolute errors
   * @param ofChosen the error of the bank's forecast
   * @param mean mean error of the series; errors count relative to it, because otherwise the links
   *     with the longest round trips alone would decide
   */
  void add(double[] absolute, double ofChosen, double mean) {
    forecasts++;
    absoluteErrorOfChosen += ofChosen;
    total = 0;
    for (int i = 0; i < sums.length; i++) {
      absoluteErrors[i] += absolute[i];
      if (mean > 0) {
        sums[i] = sums[i] * RETENTION + Math.min(MOST_RELATIVE_ERROR, absolute[i] / mean);
      }
      total += sums[i];
    }
  }

  /** Returns the absolute errors of all forecasts so far. */
  public ErrorTotals totals() {
    return new ErrorTotals(
        forecasts, absoluteErrorOfChosen, Arrays.stream(absoluteErrors).boxed().toList());
  }

  /** Returns the error of a forecaster as a part of the mean of all; 1 without experience. */
  double relativeError(int forecaster) {
    return total == 0 ? 1 : sums[forecaster] * sums.length / total;
  }
}
