/**
 * Drives the tree automata of {@code io.treecast.mst}, one for the tree by round trip and one for
 * the widest tree: hands links to them in batches, sends their messages, detects silent links, and
 * decides which links and edges an agent keeps. The algorithms themselves are in {@code ghs} and
 * {@code mst-adapt}.
 */
@NullMarked
package io.treecast.agent.core.tree;

import org.jspecify.annotations.NullMarked;
