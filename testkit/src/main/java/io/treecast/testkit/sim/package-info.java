/**
 * A cluster of agents in virtual time: the same cores that real agents run, driven by one thread,
 * deterministic from a seed.
 */
@NullMarked
package io.treecast.testkit.sim;

import org.jspecify.annotations.NullMarked;
