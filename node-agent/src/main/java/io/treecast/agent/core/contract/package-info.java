/**
 * The contract between the core and its host, the agent's runtime or a simulator: connections and
 * the transport that makes them, effects that the host carries out, notices, and the states and
 * counters that the host may read.
 */
@NullMarked
package io.treecast.agent.core.contract;

import org.jspecify.annotations.NullMarked;
