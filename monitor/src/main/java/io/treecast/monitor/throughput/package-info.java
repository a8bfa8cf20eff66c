/**
 * The throughput of a link: bulk probes in turns ({@link io.treecast.monitor.throughput.BulkProbe},
 * {@link io.treecast.monitor.throughput.CliqueToken}), the rate of ordinary transfers ({@link
 * io.treecast.monitor.throughput.TransferThroughput}), and the forecast from both.
 *
 * <p>Out of scope: round trips and silence, which belong to {@link io.treecast.monitor.probe}.
 */
@NullMarked
package io.treecast.monitor.throughput;

import org.jspecify.annotations.NullMarked;
