/**
 * One agent as a single-threaded object: links, measurement, the tree and the data. {@link
 * io.treecast.agent.core.AgentCore} is the entry point: it composes the rooms below.
 *
 * <p>Calls carry the time, and the core acts only through {@link
 * io.treecast.agent.core.contract.Transport} and {@link
 * io.treecast.agent.core.contract.AgentEffects}. The agent's event loop and the simulator drive the
 * same objects.
 *
 * <p>Rooms, from the ground up; a room may use those before it:
 *
 * <ol>
 *   <li>{@code message}: members, addresses, and the messages between agents
 *   <li>{@code contract}: what the host provides and may read
 *   <li>{@code settings}: limits and periods
 *   <li>{@code path}: control streams over several networks
 *   <li>{@code link}: discovery, handshakes, links
 *   <li>{@code tree}: links of the tree, silence, the committed trees
 *   <li>{@code measure}: probes, forecasts and the weights of links
 *   <li>{@code bulk}: bulk probes of throughput
 *   <li>{@code data}: data streams along the tree
 *   <li>{@code publish}: the queue in front of the log, retries, shortcuts
 * </ol>
 *
 * <p>One thread, the agent's, owns every object of these rooms. They own no socket, thread, clock,
 * random source or logger.
 */
@NullMarked
package io.treecast.agent.core;

import org.jspecify.annotations.NullMarked;
