/**
 * The publishers at this member. Payloads are cut into chunks, within the publish buffer and the
 * window of content that slower members lack; uploads arrive piece by piece.
 *
 * <p>In scope: admission and order of local publications. Out of scope: their way to other members.
 */
@NullMarked
package io.treecast.collectives.broadcast.publish;

import org.jspecify.annotations.NullMarked;
