/**
 * The connections below a link's streams: channels to other agents, the resolution of their
 * addresses, keepalive, and the further connections of uploads with the order of their parts.
 *
 * <p>Out of scope: the meaning of a message, and its receiver.
 */
@NullMarked
package io.treecast.agent.transport.connection;

import org.jspecify.annotations.NullMarked;
