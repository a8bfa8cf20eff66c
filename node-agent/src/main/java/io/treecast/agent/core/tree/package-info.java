/**
 * Drives the automaton of {@code io.treecast.mst}: hands links to it in batches, sends its
 * messages, notices silent links, and keeps the tree of round-trip times and the tree of
 * throughputs.
 */
@NullMarked
package io.treecast.agent.core.tree;

import org.jspecify.annotations.NullMarked;
