/**
 * The merge automaton of Gallager, Humblet and Spira ("A Distributed Algorithm for Minimum-Weight
 * Spanning Trees", ACM TOPLAS 5(1), 1983) and the value types that the tree protocol speaks in.
 *
 * <p>Nothing here owns a socket, thread, clock, random source or logger: events go in, effects come
 * out, in a stated order.
 */
@NullMarked
package io.treecast.ghs;

import org.jspecify.annotations.NullMarked;
