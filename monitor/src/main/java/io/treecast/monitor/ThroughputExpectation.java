package io.treecast.monitor;

/**
 * What is known of the throughput of a link, and expected of it. Immutable.
 *
 * @param measuredKbps the latest measurement, in kilobits (1,000 bits) a second
 * @param forecastKbps what the next one will be, at least 1
 * @param errorKbps how wrong the forecasts of this link were on average
 * @param forecaster the name of the one that makes the forecast
 * @param measurements how many there were, at least 1
 */
public record ThroughputExpectation(
    long measuredKbps, long forecastKbps, long errorKbps, String forecaster, long measurements) {}
