/**
 * The agent's streams over gRPC. {@link io.treecast.agent.transport.GrpcTransport} dials other
 * agents and accepts their dials. {@link io.treecast.agent.transport.connection} has the
 * connections below the streams, {@link io.treecast.agent.transport.upload} the further connections
 * of uploads, {@link io.treecast.agent.transport.frame} the bytes of a frame, and {@link
 * io.treecast.agent.transport.emulation} the delays and faults that tests put on a link.
 *
 * <p>Each event is passed to the core, on the loop. Out of scope: decisions about the tree.
 */
@NullMarked
package io.treecast.agent.transport;

import org.jspecify.annotations.NullMarked;
