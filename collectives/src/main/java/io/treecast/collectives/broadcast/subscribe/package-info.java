/**
 * The subscribers at this member: where each is in each stream, what happens when one is slow, and
 * when a message counts as delivered.
 */
@NullMarked
package io.treecast.collectives.broadcast.subscribe;

import org.jspecify.annotations.NullMarked;
