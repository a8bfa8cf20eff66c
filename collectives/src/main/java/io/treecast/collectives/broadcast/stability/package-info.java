/**
 * Stability: up to which position all members of the tree have each stream, so that logs may evict
 * it; and members that are absent for a short time and are waited for.
 */
@NullMarked
package io.treecast.collectives.broadcast.stability;

import org.jspecify.annotations.NullMarked;
