package io.treecast.monitor.forecast;

import java.util.Arrays;

/**
 * How well the forecasters did over all series of one agent: what a {@link ForecasterBank} goes by
 * until its own series has told enough. One for all links of an agent, for one resource; banks that
 * share it have the same forecasters in the same order. Its state is two numbers for each
 * forecaster.
 *
 * <p>Why: the least of twenty errors of a few samples each is a matter of luck. Links of an agent
 * are alike in what disturbs them, and many links tell soon what one alone tells late.
 *
 * <p>Single-threaded, on the thread of the banks.
 */
public final class SharedExperience {
  /**
   * What an error counts, relative to the one after it: the last few thousand samples of all links
   * decide.
   */
  private static final double RETENTION = 0.9998;

  /**
   * However wrong a forecaster was once, it counts no more than so many times the mean error of the
   * series: a few links on which everything happens would decide for the others.
   */
  private static final double MOST_RELATIVE_ERROR = 3;

  private final double[] sums;

  /** Of all forecasters. */
  private double total;

  private final double[] absoluteErrors;
  private double absoluteErrorOfChosen;
  private long forecasts;

  /** No experience, of banks of the {@linkplain Forecasters#standard() standard forecasters}. */
  public SharedExperience() {
    this(Forecasters.standard().size());
  }

  /**
   * No experience.
   *
   * @param forecasters how many forecasters each bank has, at least 1
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
   * Takes in the errors of all forecasters about one sample of some series.
   *
   * @param absolute the absolute errors
   * @param ofChosen that of what the bank said
   * @param mean that series' mean error: relative to it errors count, else the links with the
   *     longest round trips alone would decide
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

  /** The absolute errors of all forecasts so far. */
  public ErrorTotals totals() {
    return new ErrorTotals(
        forecasts, absoluteErrorOfChosen, Arrays.stream(absoluteErrors).boxed().toList());
  }

  /** The error of a forecaster as a part of the mean of all; 1 where nothing is known. */
  double relativeError(int forecaster) {
    return total == 0 ? 1 : sums[forecaster] * sums.length / total;
  }
}
