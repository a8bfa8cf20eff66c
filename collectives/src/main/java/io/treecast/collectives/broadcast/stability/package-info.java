/**
 * Stability: the position up to which all members of the tree have each stream, so that logs may
 * evict the content, and the absent members for which content is retained.
 *
 * <p>In scope: counting, and its reports along the tree. Out of scope: eviction, which the log
 * decides.
 */
@NullMarked
package io.treecast.collectives.broadcast.stability;

import org.jspecify.annotations.NullMarked;
