package io.treecast.monitor;

/**
 * What is known of the throughput of a link, and expected of it. Immutable.
 *
 * @param measuredKbps the latest measurement, in kilobits (1,000 bits) a second
 * @param forecastKbps what the next one will be, at least 1
 * @param errorKbps how wrong the forecasts of this link were on average
 * @param forecaster the name of the one that makes the forecast
 * @param measurements how many there were, at least 1
 * @param remembered whether all that was before the link was lost, and it is not measured since
 */
public record ThroughputExpectation(
    long measuredKbps,
    long forecastKbps,
    long errorKbps,
    String forecaster,
    long measurements,
    boolean remembered) {

  /** The same, of a link that was lost. */
  ThroughputExpectation asRemembered() {
    return new ThroughputExpectation(
        measuredKbps, forecastKbps, errorKbps, forecaster, measurements, true);
  }
}
