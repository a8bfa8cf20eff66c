/**
 * The replicated log: one log for each stream, the entries that are retained, and the positions
 * that this member has had or has forgotten. It decides which entries are evicted when memory is
 * short.
 *
 * <p>Out of scope: edges and subscribers, which hold entries as outlets do.
 */
@NullMarked
package io.treecast.collectives.broadcast.log;

import org.jspecify.annotations.NullMarked;
