/**
 * The replicated log: one log for each stream, the entries that are retained, and the positions
 * that this member has had or has forgotten. Decides what is evicted when memory is short. Does not
 * know edges or subscribers.
 */
@NullMarked
package io.treecast.collectives.broadcast.log;

import org.jspecify.annotations.NullMarked;
