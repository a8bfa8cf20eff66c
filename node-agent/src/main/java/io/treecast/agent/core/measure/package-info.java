/**
 * Measures the round trips of links: the pace of probes, forecasts, and the weights on which both
 * ends of a link agree. Throughput is measured in {@code bulk}; the forecasters belong to {@code
 * io.treecast.monitor}.
 */
@NullMarked
package io.treecast.agent.core.measure;

import org.jspecify.annotations.NullMarked;
