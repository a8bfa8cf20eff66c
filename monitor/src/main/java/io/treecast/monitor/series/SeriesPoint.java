package io.treecast.monitor.series;

/**
 * One measurement.
 *
 * @param unixMillis time of the measurement, by the clock of the measuring machine
 * @param value in the unit of the {@link SeriesResource}
 */
public record SeriesPoint(long unixMillis, long value) {}
