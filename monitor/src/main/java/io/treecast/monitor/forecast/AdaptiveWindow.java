package io.treecast.monitor.forecast;

import java.util.Locale;

/**
 * Expects the mean or the median of a window whose length follows the series. At each sample, the
 * forecasts of the present window, of one a sample shorter and of one a sample longer are compared
 * with it, and the nearest becomes the window. On a tie the present one stays, then the shorter one
 * is preferred. So the window grows while the level holds and shrinks when it moves.
 *
 * <p>Source: Wolski, Spring, Hayes 1999, section 4.
 */
public final class AdaptiveWindow implements Forecaster {
  /** The statistic of the window. */
  public enum Centre {
    MEAN,
    MEDIAN
  }

  private final Centre centre;
  private final int maxSamples;
  private final RecentValues recent;
  private final String name;
  private int windowSamples = 1;

  /**
   * Creates a forecaster without samples.
   *
   * @param centre the statistic of the window
   * @param maxSamples length of the longest window, 1 to 1,000
   */
  public AdaptiveWindow(Centre centre, int maxSamples) {
    this.centre = centre;
    this.maxSamples = maxSamples;
    this.recent = new RecentValues(maxSamples);
    this.name = "adaptive-" + centre.name().toLowerCase(Locale.ROOT) + "-" + maxSamples;
  }

  @Override
  public String name() {
    return name;
  }

  /** Returns the length of the window for the next forecast, if there are as many samples. */
  public int windowSamples() {
    return windowSamples;
  }

  @Override
  public void add(double value) {
    if (recent.size() > 0) {
      adapt(value);
    }
    recent.add(value);
  }

  private void adapt(double value) {
    int best = windowSamples;
    double leastError = error(best, value);
    if (windowSamples > 1 && error(windowSamples - 1, value) < leastError) {
      best = windowSamples - 1;
      leastError = error(best, value);
    }
    if (windowSamples < Math.min(maxSamples, recent.size())
        && error(windowSamples + 1, value) < leastError) {
      best = windowSamples + 1;
    }
    windowSamples = best;
  }

  private double error(int window, double value) {
    return Math.abs(centre(window) - value);
  }

  @Override
  public double forecast() {
    recent.sizeOrThrow();
    return centre(windowSamples);
  }

  private double centre(int window) {
    int count = Math.min(window, recent.size());
    return centre == Centre.MEAN ? recent.mean(count) : recent.median(count);
  }
}
