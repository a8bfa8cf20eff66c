/**
 * The place of this member in the committed tree, the epoch that identifies a tree, and paths along
 * it.
 *
 * <p>In scope: what follows from a committed tree alone. Out of scope: broadcasts.
 */
@NullMarked
package io.treecast.collectives.broadcast.tree;

import org.jspecify.annotations.NullMarked;
