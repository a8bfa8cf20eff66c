/**
 * One agent as a single-threaded object: links, measurement, the tree and the data. The entry
 * point, {@link io.treecast.agent.core.AgentCore}, composes the packages below.
 *
 * <p>Events enter as calls that carry the time. The core acts only through {@link
 * io.treecast.agent.core.contract.Transport} and {@link
 * io.treecast.agent.core.contract.AgentEffects}. The agent's event loop and the simulator drive the
 * same code.
 *
 * <p>The packages, from the bottom up. Each may use those before it:
 *
 * <ol>
 *   <li>{@code message}: members, addresses, and the messages between agents
 *   <li>{@code contract}: the interfaces between the core and its host
 *   <li>{@code settings}: limits and periods
 *   <li>{@code path}: control streams over several networks
 *   <li>{@code link}: discovery, handshakes, links
 *   <li>{@code tree}: the links given to the tree automaton, silent links, the committed trees
 *   <li>{@code measure}: probes, forecasts and the weights of links
 *   <li>{@code bulk}: bulk probes of throughput
 *   <li>{@code data}: data streams along the tree
 *   <li>{@code publish}: the queue in front of the log, retries, shortcuts
 * </ol>
 *
 * <p>The agent's thread owns every object of these packages. They contain no socket, thread, clock,
 * random source or logger.
 */
@NullMarked
package io.treecast.agent.core;

import org.jspecify.annotations.NullMarked;
