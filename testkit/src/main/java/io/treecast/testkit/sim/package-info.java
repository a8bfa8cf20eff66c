/**
 * A cluster of agents in virtual time with their simulated applications: the cores of real agents,
 * driven by one thread, deterministic by a seed. The network between them is in {@code
 * io.treecast.testkit.sim.network}.
 */
@NullMarked
package io.treecast.testkit.sim;

import org.jspecify.annotations.NullMarked;
