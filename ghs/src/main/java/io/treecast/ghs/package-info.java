/**
 * The value types of the tree protocol: node ids, and the weights of links with their total order.
 *
 * <p>The package {@code io.treecast.ghs.paper} holds the algorithm of Gallager, Humblet and Spira
 * as it was published. It is the reference and the baseline for the protocol that the agents run.
 *
 * <p>Nothing here owns a socket, thread, clock, random source or logger.
 */
@NullMarked
package io.treecast.ghs;

import org.jspecify.annotations.NullMarked;
