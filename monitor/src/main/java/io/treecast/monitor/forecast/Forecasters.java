package io.treecast.monitor.forecast;

import io.treecast.monitor.forecast.AdaptiveWindow.Centre;
import java.util.ArrayList;
import java.util.List;
import java.util.function.DoubleSupplier;

/** The methods that an agent tries on each series. */
public final class Forecasters {
  /** The longest window of the standard forecasters, in samples. */
  public static final int LONGEST_WINDOW_SAMPLES = 50;

  private static final double TRIMMED_SHARE = 0.3;

  private Forecasters() {}

  /**
   * Returns a fresh set for the round trips of one link: the {@linkplain #standard() standard
   * ones}, preceded by two of them that stay {@linkplain WithinDetour within the detour}, the
   * favoured one and the last value.
   *
   * @param detour as in {@link WithinDetour}
   */
  public static List<Forecaster> ofRoundTrips(DoubleSupplier detour) {
    List<Forecaster> forecasters = new ArrayList<>();
    forecasters.add(new WithinDetour(new LowerMean(3), detour));
    forecasters.add(new WithinDetour(new LastValue(), detour));
    forecasters.addAll(standard());
    return List.copyOf(forecasters);
  }

  /** Returns the names of those, in their order. */
  public static List<String> namesOfRoundTrips() {
    return ofRoundTrips(() -> Double.POSITIVE_INFINITY).stream().map(Forecaster::name).toList();
  }

  /**
   * Returns a fresh set for one series, in order of preference on ties: methods that use the lower
   * samples first, because they do least harm. It keeps about 620 numbers, 5 kB, however long the
   * series is.
   */
  public static List<Forecaster> standard() {
    return List.of(
        new LowerMean(3),
        new LowerMedian(5),
        new LowerMedian(3),
        new LowerMedian(10),
        new SlidingMedian(3),
        new SlidingMedian(5),
        new SlidingMedian(10),
        new SlidingMedian(20),
        new SlidingMedian(LONGEST_WINDOW_SAMPLES),
        new TrimmedMean(5, TRIMMED_SHARE),
        new TrimmedMean(10, TRIMMED_SHARE),
        new TrimmedMean(20, TRIMMED_SHARE),
        new TrimmedMean(LONGEST_WINDOW_SAMPLES, TRIMMED_SHARE),
        new SlidingMean(5),
        new SlidingMean(10),
        new SlidingMean(20),
        new SlidingMean(LONGEST_WINDOW_SAMPLES),
        new AdaptiveWindow(Centre.MEDIAN, LONGEST_WINDOW_SAMPLES),
        new AdaptiveWindow(Centre.MEAN, LONGEST_WINDOW_SAMPLES),
        new ExponentialSmoothing(0.05),
        new ExponentialSmoothing(0.1),
        new ExponentialSmoothing(0.2),
        new ExponentialSmoothing(0.3),
        new ExponentialSmoothing(0.4),
        new ExponentialSmoothing(0.5),
        new ExponentialSmoothing(0.75),
        new ExponentialSmoothing(0.9),
        new FirstOrderAutoregression(LONGEST_WINDOW_SAMPLES),
        new RunningMean(),
        new LastValue());
  }
}
