/**
 * Ranked merging: keeps a minimum spanning tree of the links that are up, through any sequence of
 * links that come, go and change their weight, and of nodes that start, crash and restart.
 *
 * <p>One mechanism for every event. A change makes fragments: a node starts as one, a lost tree
 * edge leaves two, a tree edge that is no longer minimal is cut on purpose. Fragments find their
 * minimum outgoing edge and merge over it, as in Gallager, Humblet and Spira, "A Distributed
 * Algorithm for Minimum-Weight Spanning Trees", ACM TOPLAS 5(1), 1983. When nothing is left to
 * find, the root commits the tree to all members. From then on every member certifies its own links
 * against the committed tree, which costs no message, and orders a cut where the tree is not
 * minimal.
 *
 * <p>What differs from the paper:
 *
 * <ul>
 *   <li>A fragment has one root instead of a core edge, and a {@linkplain io.treecast.mst.Rank
 *       rank} of epoch and level instead of a level. A node joins another fragment only if that
 *       one's rank is higher, and no node's rank ever falls: so there is no cycle, whatever fails
 *       and whenever.
 *   <li>Members are known by list, so there is no Test, Accept or Reject: a link leaves the
 *       fragment if its other end is not on the list. Lists can be out of date; the root validates
 *       them against the nodes that answered.
 *   <li>A fragment asks to join with Connect, is answered with an offer or refused, and may take
 *       its question back.
 * </ul>
 *
 * <p>Nothing here owns a socket, thread, clock, random source or logger.
 */
@NullMarked
package io.treecast.mst;

import org.jspecify.annotations.NullMarked;
