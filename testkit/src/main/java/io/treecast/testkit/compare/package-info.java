/**
 * The algorithms that Treecast is compared with, as code that runs on any network: the trees of
 * libraries that do not adapt, the algorithm of 1983, and link-state routing.
 *
 * <ul>
 *   <li>{@link io.treecast.testkit.compare.Algorithm}: the names of all of them.
 *   <li>{@link io.treecast.testkit.compare.Comparison}: runs them on one network and its changes.
 *   <li>{@link io.treecast.testkit.compare.PaperBuild}: the automaton of 1983 builds a tree.
 *   <li>{@link io.treecast.testkit.compare.LinkState}: each node floods its links.
 *   <li>{@link io.treecast.testkit.compare.BlockingSends}: broadcasts where each send takes time.
 * </ul>
 *
 * <p>The shapes of the static trees are in {@link io.treecast.testkit.network.BroadcastShape}.
 * Nothing here knows how Treecast's agents work.
 */
@NullMarked
package io.treecast.testkit.compare;

import org.jspecify.annotations.NullMarked;
