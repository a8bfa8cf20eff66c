/**
 * Keeps the minimum spanning tree of the links that are up, while links open, close and change
 * their weight, and nodes start, crash and restart.
 *
 * <p>Every event leads to the same mechanism, {@link io.treecast.ghs.GhsNode GHS with epochs}. A
 * node that starts is a fragment; a lost tree edge leaves two; an edge that is no longer minimal is
 * cut on purpose, which leaves two as well. GHS merges the fragments. This package does the rest:
 *
 * <ul>
 *   <li>{@code Commitment}: when no edge leaves the fragment, the root commits its tree to all
 *       members. A tree that all of them have keeps its version.
 *   <li>{@code Certification}: each member checks its own links against the committed tree, which
 *       costs no message, and orders a cut where the tree is not minimal.
 *   <li>{@code Repair}: cuts edges, and announces cut and lost edges to the root.
 *   <li>{@code LinkChanges}: decides the reaction to a change of a link.
 * </ul>
 *
 * <p>{@link io.treecast.mst.AdaptiveTree} is the facade and the mailbox. The parts share no field
 * with GHS: they command it through {@link io.treecast.ghs.GhsNode}, and it calls back through
 * {@link io.treecast.ghs.TreeKeeper}.
 *
 * <p>In scope: the consequences of a committed tree. Out of scope: the search for the minimum
 * outgoing edge and the ways to join another fragment, which are {@code io.treecast.ghs}.
 *
 * <p>One thread at a time owns a node with all its parts: the one that calls {@link
 * io.treecast.mst.AdaptiveTree}. Trees and messages are immutable. Nothing here owns a socket,
 * thread, clock, random source or logger.
 */
@NullMarked
package io.treecast.mst;

import org.jspecify.annotations.NullMarked;
