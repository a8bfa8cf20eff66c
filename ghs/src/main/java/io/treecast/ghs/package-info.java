/**
 * Distributed GHS: fragments that search for their minimum outgoing edge, connect over it, absorb
 * and merge, until they are the minimum spanning tree. After Gallager, Humblet and Spira, "A
 * Distributed Algorithm for Minimum-Weight Spanning Trees", ACM TOPLAS 5(1), 1983.
 *
 * <p>The algorithm is GHS with epochs, and its words are the paper's: fragment, level, minimum
 * outgoing edge, Connect, Initiate, Report, ChangeRoot, absorb, merge. It differs from the paper in
 * this:
 *
 * <ul>
 *   <li>Links and nodes may fail at any time, so a fragment that was cut off begins a new epoch. A
 *       fragment has a {@linkplain io.treecast.ghs.Rank rank} of epoch and level instead of a
 *       level. A node joins another fragment only if that fragment's rank is higher, and the rank
 *       of a node never falls. So no failure can close a cycle.
 *   <li>A fragment has one root instead of the two ends of a core edge.
 *   <li>A fragment has a list of its members, so there is no Test, Accept or Reject: a link leaves
 *       the fragment if its other end is not on the list. A list can be out of date; the root
 *       compares it with the nodes that answered.
 *   <li>A Connect is answered with an offer or with Nack, and the sender may cancel it.
 * </ul>
 *
 * <p>The parts: {@link io.treecast.ghs.GhsNode} is the facade and the mailbox. {@code Search} finds
 * the minimum outgoing edge, {@code Connecting} moves the root there and sends Connect, {@code
 * Admission} answers the Connects of other fragments, and {@code Fragment} is the state they share.
 * The other classes are values and messages.
 *
 * <p>In scope: everything that a fragment needs to find its minimum outgoing edge and to join
 * another fragment. Out of scope: committed trees, the reasons for a change, cut edges and their
 * announcement, all of which {@code io.treecast.mst} keeps. It receives seven calls through {@link
 * io.treecast.ghs.TreeKeeper}. The package {@code ghs.paper} has the algorithm as published;
 * nothing here uses it.
 *
 * <p>One thread at a time owns a node with all its parts: the one that calls {@link
 * io.treecast.ghs.GhsNode}. Values and messages are immutable. Nothing here owns a socket, thread,
 * clock, random source or logger.
 */
@NullMarked
package io.treecast.ghs;

import org.jspecify.annotations.NullMarked;
