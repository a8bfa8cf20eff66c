/**
 * The algorithms with which Treecast is compared, for any network: the static trees of libraries,
 * the algorithm of 1983, and link-state routing.
 *
 * <ul>
 *   <li>{@link io.treecast.testkit.compare.Algorithm}: the names of the algorithms.
 *   <li>{@link io.treecast.testkit.compare.Comparison}: compares them on one network and its
 *       changes.
 *   <li>{@link io.treecast.testkit.compare.PaperBuild}: the construction by the automaton of 1983.
 *   <li>{@link io.treecast.testkit.compare.LinkState}: the flooding of links.
 *   <li>{@link io.treecast.testkit.compare.BlockingSends}: the time of broadcasts.
 * </ul>
 *
 * <p>The shapes of the static trees are in {@link io.treecast.testkit.network.BroadcastShape}. This
 * package does not depend on Treecast's agents.
 */
@NullMarked
package io.treecast.testkit.compare;

import org.jspecify.annotations.NullMarked;
