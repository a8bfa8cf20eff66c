/**
 * The edges of the tree at this member. For each neighbour an outlet, which sends from the log
 * within the neighbour's credit, and an inlet, which grants credit. Replays what a neighbour lacks,
 * and reports what can no longer be replayed as a gap.
 */
@NullMarked
package io.treecast.collectives.broadcast.edge;

import org.jspecify.annotations.NullMarked;
