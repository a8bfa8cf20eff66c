/**
 * The network of a simulated cluster: virtual time, streams with latency, limited throughput and
 * faults, and stalls of agents. Messages are encoded and decoded in the wire format of real agents.
 *
 * <p>Applications and agents belong to {@code io.treecast.testkit.sim}.
 */
@NullMarked
package io.treecast.testkit.sim.network;

import org.jspecify.annotations.NullMarked;
