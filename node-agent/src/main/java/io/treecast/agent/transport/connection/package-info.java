/**
 * The connections below a link's streams: channels to other agents, the resolution of their
 * addresses, keepalive, HTTP/2 frames, and sockets.
 *
 * <p>Out of scope: the meaning of a message, and its receiver.
 */
@NullMarked
package io.treecast.agent.transport.connection;

import org.jspecify.annotations.NullMarked;
