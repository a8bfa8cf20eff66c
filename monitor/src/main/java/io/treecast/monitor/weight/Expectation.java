package io.treecast.monitor.weight;

/**
 * The known and the expected round trip of a link. Immutable.
 *
 * @param measuredMicros the latest measurement, in microseconds
 * @param forecastMicros the expected next measurement, at least 1
 * @param errorMicros mean error of the link's forecasts
 * @param forecaster name of the forecaster that made the forecast
 * @param confidence 0 to 1: 1 if no forecast was wrong, 0 if they were wrong by as much as the
 *     forecast itself
 * @param measurements number of measurements, at least 1
 */
public record Expectation(
    long measuredMicros,
    long forecastMicros,
    long errorMicros,
    String forecaster,
    double confidence,
    long measurements) {}
