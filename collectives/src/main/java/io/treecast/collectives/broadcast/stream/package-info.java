/**
 * The life of streams: own streams, streams that arrive from neighbours, positions that neighbours
 * claim, and streams that are forgotten or dropped when there are too many.
 *
 * <p>Out of scope: the content of a stream, which the log retains.
 */
@NullMarked
package io.treecast.collectives.broadcast.stream;

import org.jspecify.annotations.NullMarked;
