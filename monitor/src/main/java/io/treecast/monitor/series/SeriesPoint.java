package io.treecast.monitor.series;

/**
 * One measurement.
 *
 * @param unixMillis when, by the clock of the machine that measured
 * @param value in the unit of the {@link SeriesResource}
 */
public record SeriesPoint(long unixMillis, long value) {}
