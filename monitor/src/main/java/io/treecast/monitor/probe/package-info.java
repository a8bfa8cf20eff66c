/**
 * Probes of a link. {@link io.treecast.monitor.probe.LinkProbe} schedules them, matches replies and
 * measures the round-trip time; {@link io.treecast.monitor.probe.RoundTripForecast} predicts the
 * next one. {@link io.treecast.monitor.probe.LinkQualityMeter} measures jitter and loss. {@link
 * io.treecast.monitor.probe.SilenceDetector} judges whether the other end is still alive.
 *
 * <p>Out of scope: throughput, which belongs to {@link io.treecast.monitor.throughput}.
 */
@NullMarked
package io.treecast.monitor.probe;

import org.jspecify.annotations.NullMarked;
