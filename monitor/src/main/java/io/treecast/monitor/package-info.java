/**
 * What is known about a link. {@link io.treecast.monitor.LinkProbe} measures it: when to probe,
 * which reply answers which probe, what the samples say about the round-trip time. {@link
 * io.treecast.monitor.RoundTripForecast} says what to expect next. {@link
 * io.treecast.monitor.SignificantWeight} decides when a change of that is one of the link's weight.
 * {@link io.treecast.monitor.LinkQualityMeter} tells its jitter and loss. {@link
 * io.treecast.monitor.BulkProbe} and {@link io.treecast.monitor.TransferThroughput} measure its
 * throughput. {@link io.treecast.monitor.SilenceDetector} judges whether the other end is still
 * there.
 *
 * <p>Nothing here owns a socket, thread, clock, random source or logger: times come in with each
 * call, and what to send comes out.
 */
@NullMarked
package io.treecast.monitor;

import org.jspecify.annotations.NullMarked;
