package io.treecast.monitor.throughput;

/**
 * The known and the expected throughput of a link. Immutable.
 *
 * @param measuredKbps the latest measurement, in kilobits (1,000 bits) per second
 * @param forecastKbps the expected next measurement, at least 1
 * @param errorKbps mean error of the link's forecasts
 * @param forecaster name of the forecaster that made the forecast
 * @param measurements number of measurements, at least 1
 * @param remembered whether the values are from before the link was lost, and no measurement has
 *     followed since
 */
public record ThroughputExpectation(
    long measuredKbps,
    long forecastKbps,
    long errorKbps,
    String forecaster,
    long measurements,
    boolean remembered) {

  /** Returns this expectation for a link that was lost. */
  ThroughputExpectation asRemembered() {
    return new ThroughputExpectation(
        measuredKbps, forecastKbps, errorKbps, forecaster, measurements, true);
  }
}
