/**
 * The connections that carry a link's streams: channels to other agents, names and their addresses,
 * keepalive, and the further connections of uploads with the order of their parts.
 *
 * <p>This room knows neither the meaning of a message nor its receiver.
 */
@NullMarked
package io.treecast.agent.transport.connection;

import org.jspecify.annotations.NullMarked;
