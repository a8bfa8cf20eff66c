/**
 * One agent as a single-threaded object: links, measurement, the tree and the data, composed.
 *
 * <p>Everything here is driven by calls that carry the time, and acts through {@link
 * io.treecast.agent.core.Transport} and {@link io.treecast.agent.core.AgentEffects}. The agent's
 * event loop and the simulator drive the same objects. No socket, thread, clock, random source or
 * logger is owned here.
 */
@NullMarked
package io.treecast.agent.core;

import org.jspecify.annotations.NullMarked;
