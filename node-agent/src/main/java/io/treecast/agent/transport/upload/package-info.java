/**
 * Uploads over one link: their further connections, the number and the pace of these, and the order
 * of the parts of an upload that arrive over several of them.
 *
 * <p>In scope: decisions from measurements of sockets, on the agent's loop. Out of scope: sockets
 * and channels, which {@link io.treecast.agent.transport.connection} has.
 */
@NullMarked
package io.treecast.agent.transport.upload;

import org.jspecify.annotations.NullMarked;
