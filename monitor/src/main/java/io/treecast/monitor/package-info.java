/**
 * The knowledge about a link. {@link io.treecast.monitor.LinkProbe} measures it: schedules probes,
 * matches replies, and computes the round-trip time from the samples. {@link
 * io.treecast.monitor.RoundTripForecast} predicts the next one. {@link
 * io.treecast.monitor.SignificantWeight} decides when a change of the forecast becomes a change of
 * the link's weight. {@link io.treecast.monitor.LinkQualityMeter} measures jitter and loss. {@link
 * io.treecast.monitor.BulkProbe} and {@link io.treecast.monitor.TransferThroughput} measure
 * throughput. {@link io.treecast.monitor.SilenceDetector} judges whether the other end is still
 * alive.
 *
 * <p>Nothing here owns a socket, thread, clock, random source or logger: times are arguments of
 * each call, and messages to send are its results.
 */
@NullMarked
package io.treecast.monitor;

import org.jspecify.annotations.NullMarked;
