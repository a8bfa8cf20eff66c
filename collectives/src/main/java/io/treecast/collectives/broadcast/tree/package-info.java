/**
 * The place of this member in the committed tree, the epoch that identifies a tree, and paths along
 * it.
 *
 * <p>In scope: values that a committed tree alone determines. Out of scope: broadcasts.
 */
@NullMarked
package io.treecast.collectives.broadcast.tree;

import org.jspecify.annotations.NullMarked;
