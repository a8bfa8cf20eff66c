/**
 * Broadcast by replicated logs. {@link io.treecast.collectives.BroadcastRelay} is the way in; its
 * Javadoc explains flow control and why it cannot deadlock.
 *
 * <p>Nothing here owns a socket, thread, clock, random source or logger.
 */
@NullMarked
package io.treecast.collectives;

import org.jspecify.annotations.NullMarked;
