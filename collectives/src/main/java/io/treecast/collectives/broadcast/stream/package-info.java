/**
 * The life of streams: own streams, streams that arrive from neighbours, positions that neighbours
 * claim, and streams that are dropped when there are too many.
 */
@NullMarked
package io.treecast.collectives.broadcast.stream;

import org.jspecify.annotations.NullMarked;
