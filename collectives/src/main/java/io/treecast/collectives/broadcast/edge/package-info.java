/**
 * The edges of the tree at this member. For each neighbour there is an outlet, which sends from the
 * log within the neighbour's credit, and an inlet, which grants credit. An edge replays content
 * that the neighbour lacks, and reports content that can no longer be replayed as a gap.
 *
 * <p>In scope: transmission to one neighbour, and its flow control. Out of scope: the choice of the
 * neighbours, and the topics that members want.
 */
@NullMarked
package io.treecast.collectives.broadcast.edge;

import org.jspecify.annotations.NullMarked;
