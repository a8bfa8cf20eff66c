/**
 * The publishers at this member: payloads are cut into chunks, within the publish buffer and the
 * window of messages that slower members lack; uploads arrive chunk by chunk.
 */
@NullMarked
package io.treecast.collectives.broadcast.publish;

import org.jspecify.annotations.NullMarked;
