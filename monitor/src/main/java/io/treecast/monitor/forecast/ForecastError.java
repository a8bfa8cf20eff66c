package io.treecast.monitor.forecast;

/**
 * The errors of one forecaster on one series so far.
 *
 * @param forecaster its name
 * @param meanAbsolute mean of the absolute errors, in the unit of the samples; 0 before any
 * @param meanSquared mean of the squared errors, in that unit squared; 0 before any
 */
public record ForecastError(String forecaster, double meanAbsolute, double meanSquared) {}
