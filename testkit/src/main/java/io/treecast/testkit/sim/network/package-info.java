/**
 * The network of a simulated cluster: virtual time, streams with latency, limited throughput and
 * faults, and the agents' stalls. It carries the messages of real cores in the bytes of the wire.
 *
 * <p>Applications and agents belong to {@code io.treecast.testkit.sim}.
 */
@NullMarked
package io.treecast.testkit.sim.network;

import org.jspecify.annotations.NullMarked;
