/**
 * The place of this member in the committed tree, the epoch that identifies a tree, and paths along
 * it. Immutable values. Knows nothing of broadcasts.
 */
@NullMarked
package io.treecast.collectives.broadcast.tree;

import org.jspecify.annotations.NullMarked;
