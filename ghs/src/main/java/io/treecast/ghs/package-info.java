/**
 * The value types that the tree protocol speaks in: who the nodes are, and the total order of
 * links.
 *
 * <p>Nothing here owns a socket, thread, clock, random source or logger. The tests hold the merge
 * automaton of Gallager, Humblet and Spira, the reference and baseline of the one that runs: as it
 * was published, but for three things that change the outcome nowhere, of which one saves messages.
 */
@NullMarked
package io.treecast.ghs;

import org.jspecify.annotations.NullMarked;
