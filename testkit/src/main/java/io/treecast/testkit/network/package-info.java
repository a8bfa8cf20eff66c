/**
 * Networks for simulations: links and their round-trip times, read from a file or random, the
 * changes of links by faults, and the time of a broadcast over them: the lower bound, along a given
 * tree, and along trees that ignore latencies.
 *
 * <p>Nodes are numbers from 0. This package does not depend on agents.
 */
@NullMarked
package io.treecast.testkit.network;

import org.jspecify.annotations.NullMarked;
