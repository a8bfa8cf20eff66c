/**
 * The life of the tree above the merge automaton: when merging starts, what is committed, when the
 * tree is lost.
 *
 * <p>Nothing here owns a socket, thread, clock, random source or logger.
 */
@NullMarked
package io.treecast.mst;

import org.jspecify.annotations.NullMarked;
