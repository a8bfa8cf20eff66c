/**
 * The agent as a running process: {@link io.treecast.agent.runtime.Agent} starts the core on an
 * event loop, serves it over gRPC and HTTP, and closes it. All code that owns a thread, a socket or
 * a file is here or in {@code io.treecast.agent.transport}.
 *
 * <p>The packages, from the bottom up. Each may use those before it:
 *
 * <ol>
 *   <li>{@code loop}: the event loop, and queries to it from other threads
 *   <li>{@code status}: the state of an agent as text and frames
 *   <li>{@code server}: the gRPC server, its connections, and slow readers
 *   <li>{@code series}: the directory of the agent on disk
 *   <li>{@code application}: the service for clients
 *   <li>{@code fault}: the service that injects faults
 *   <li>{@code metrics}: meters for Micrometer
 *   <li>{@code http}: clients that publish and subscribe by plain HTTP
 *   <li>{@code admin}: the service for operators, health, metrics and the live page
 * </ol>
 */
@NullMarked
package io.treecast.agent.runtime;

import org.jspecify.annotations.NullMarked;
