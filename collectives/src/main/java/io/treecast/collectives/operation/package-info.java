/**
 * Collective operations that combine what members give: barrier, reduce, gather, scatter. {@link
 * io.treecast.collectives.operation.Combining} is the way in; its Javadoc explains how an operation
 * goes on when the tree changes under it.
 *
 * <p>Nothing here owns a socket, thread, clock, random source or logger.
 */
@NullMarked
package io.treecast.collectives.operation;

import org.jspecify.annotations.NullMarked;
