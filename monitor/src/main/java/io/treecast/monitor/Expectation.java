package io.treecast.monitor;

/**
 * What is known of the round trip of a link, and expected of it. Immutable.
 *
 * @param measuredMicros the latest measurement, in microseconds
 * @param forecastMicros what the next one will be, at least 1
 * @param errorMicros how wrong the forecasts of this link were on average
 * @param forecaster the name of the one that makes the forecast
 * @param confidence how much of it is believed, 0 to 1: 1 where no forecast was wrong, 0 where they
 *     were wrong by as much as the forecast itself
 * @param measurements how many there were, at least 1
 */
public record Expectation(
    long measuredMicros,
    long forecastMicros,
    long errorMicros,
    String forecaster,
    double confidence,
    long measurements) {}
