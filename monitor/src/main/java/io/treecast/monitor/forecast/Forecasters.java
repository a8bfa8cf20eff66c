package io.treecast.monitor.forecast;

import java.util.ArrayList;
import java.util.List;
import java.util.function.DoubleSupplier;

/** The methods that an agent tries on each series. */
public final class Forecasters {
  private Forecasters() {}

  /**
   * Returns a fresh set for the round trips of one link: the {@linkplain #standard() standard
   * ones}, preceded by two of them that stay {@linkplain DetourLimit within the detour}, the
   * favoured one and the last value.
   *
   * @param detour as in {@link DetourLimit}
   */
  public static List<Forecaster> ofRoundTrips(DoubleSupplier detour) {
    List<Forecaster> forecasters = new ArrayList<>();
    forecasters.add(new DetourLimit(SlidingWindow.lowerMean(3), detour));
    forecasters.add(new DetourLimit(new LastValue(), detour));
    forecasters.addAll(standard());
    return List.copyOf(forecasters);
  }

  /** Returns the names of those, in their order. */
  public static List<String> namesOfRoundTrips() {
    return ofRoundTrips(() -> Double.POSITIVE_INFINITY).stream().map(Forecaster::name).toList();
  }

  /**
   * Returns a fresh set for one series, in order of preference on ties: methods that use the lower
   * samples first, because they do least harm. It keeps about 70 numbers, however long the series
   * is.
   */
  public static List<Forecaster> standard() {
    return List.of(
        SlidingWindow.lowerMean(3),
        SlidingWindow.lowerMedian(5),
        SlidingWindow.median(10),
        SlidingWindow.median(50),
        new ExponentialSmoothing(0.3),
        new LastValue());
  }
}
