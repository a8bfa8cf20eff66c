package io.treecast.monitor;

/**
 * How steady a link is. Immutable.
 *
 * @param jitterMicros by how much one round trip differs from the next, on average, in microseconds
 * @param lossPercent how many of a hundred probes were late by a retransmission
 * @param discardedPercent how many of a hundred round trips were discarded, since an end was late
 */
public record LinkQuality(long jitterMicros, int lossPercent, int discardedPercent) {}
