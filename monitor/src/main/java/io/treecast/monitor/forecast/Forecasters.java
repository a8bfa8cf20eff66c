package io.treecast.monitor.forecast;

import java.util.ArrayList;
import java.util.List;
import java.util.function.DoubleSupplier;

/** The methods that an agent tries on each series. */
public final class Forecasters {
  private Forecasters() {}

  /**
   * A fresh set for the round trips of one link: the {@linkplain #standard() standard ones}, after
   * two of them that keep {@linkplain WithinDetour within the detour}, the one that is favoured and
   * the last value.
   *
   * @param detour see there
   */
  public static List<Forecaster> ofRoundTrips(DoubleSupplier detour) {
    List<Forecaster> forecasters = new ArrayList<>();
    forecasters.add(new WithinDetour(new LowerMean(3), detour));
    forecasters.add(new WithinDetour(new LastValue(), detour));
    forecasters.addAll(standard());
    return List.copyOf(forecasters);
  }

  /** The names of those, in their order. */
  public static List<String> namesOfRoundTrips() {
    return ofRoundTrips(() -> Double.POSITIVE_INFINITY).stream().map(Forecaster::name).toList();
  }

  /**
   * A fresh set for one series, in the order in which they speak where nothing tells them apart:
   * what goes by the lower samples first, because it does least harm. It keeps about 70 numbers,
   * however long the series is.
   */
  public static List<Forecaster> standard() {
    return List.of(
        new LowerMean(3),
        new LowerMedian(5),
        new SlidingMedian(10),
        new SlidingMedian(50),
        new ExponentialSmoothing(0.3),
        new LastValue());
  }
}
