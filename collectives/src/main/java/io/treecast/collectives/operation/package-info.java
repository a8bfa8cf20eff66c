/**
 * Collective operations that combine contributions: barrier, reduce, gather, scatter. {@link
 * io.treecast.collectives.operation.Combining} is the entry point; its Javadoc explains how an
 * operation continues when the tree changes.
 *
 * <p>In scope: operations of one message and of segments, on the tree or a chain. Out of scope: the
 * packing of values by applications.
 *
 * <p>One thread owns every object of this package. They own no socket, thread, clock, random source
 * or logger.
 */
@NullMarked
package io.treecast.collectives.operation;

import org.jspecify.annotations.NullMarked;
