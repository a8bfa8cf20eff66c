/**
 * Networks to try things on: links and their round-trip times, read from a file or drawn at random,
 * and how long a broadcast over them takes at best, along a given tree, and along the trees that do
 * not look at the network.
 *
 * <p>Nodes are numbers from 0. Nothing here knows how agents work.
 */
@NullMarked
package io.treecast.testkit.network;

import org.jspecify.annotations.NullMarked;
