package io.treecast.agent.core.contract;

import io.treecast.monitor.forecast.ErrorTotals;

/**
 * The totals of an agent's measurements since its start.
 *
 * @param probesSent how many probes it sent
 * @param forecasts how wrong its forecasts of round trips were, in microseconds
 */
public record MeasurementTotals(long probesSent, ErrorTotals forecasts) {}
