/**
 * The algorithm as its authors published it: Gallager, Humblet and Spira, "A Distributed Algorithm
 * for Minimum-Weight Spanning Trees", ACM TOPLAS 5(1), 1983. It builds a minimum spanning tree
 * once, over links that neither fail nor change.
 *
 * <p>It is the reference for the rules of the paper, and the baseline for the number of messages.
 * The agents run {@code io.treecast.mst} instead, which also survives failures and new weights.
 *
 * <p>Start at {@link io.treecast.ghs.paper.PaperNode}. The Javadoc numbers each response and
 * procedure as the appendix of the paper does, (1) to (12).
 *
 * <p>In scope: the automaton of the paper, its messages, and the rules that its neighbours must
 * keep. Out of scope: epochs, failures, changes of weight, and anything that only Treecast's own
 * protocol needs. The package uses only the node ids and link weights of the package above it, and
 * nothing in main code of the tree protocol uses this package.
 *
 * <p>A node is confined to one thread at a time, the one that calls it. Nothing here owns a socket,
 * thread, clock, random source or logger.
 */
@NullMarked
package io.treecast.ghs.paper;

import org.jspecify.annotations.NullMarked;
