package io.treecast.agent.core.contract;

import io.treecast.monitor.forecast.ErrorTotals;

/**
 * The totals of an agent's measurements since its start.
 *
 * @param probesSent the number of probes sent
 * @param forecasts the errors of the forecasts of round trips, in microseconds
 */
public record MeasurementTotals(long probesSent, ErrorTotals forecasts) {}
