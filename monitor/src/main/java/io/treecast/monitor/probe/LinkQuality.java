package io.treecast.monitor.probe;

/**
 * The steadiness of a link. Immutable.
 *
 * @param jitterMicros mean difference of consecutive round trips, in microseconds
 * @param lossPercent percentage of probes that were delayed by a retransmission
 * @param discardedPercent percentage of round trips that were discarded because an end was late
 */
public record LinkQuality(long jitterMicros, int lossPercent, int discardedPercent) {}
