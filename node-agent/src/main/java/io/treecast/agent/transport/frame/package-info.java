/**
 * The bytes of frames on the network: how the methods of {@code PeerService} are parsed, how
 * messages are put together in a frame, and how long a frame may be.
 */
@NullMarked
package io.treecast.agent.transport.frame;

import org.jspecify.annotations.NullMarked;
