/**
 * The vocabulary of agents as immutable values: members, their addresses, and the messages between
 * two agents on control and data streams. Also contains the bound of the counts that agents accept
 * from each other. Encoding belongs to {@code io.treecast.agent.wire}.
 */
@NullMarked
package io.treecast.agent.core.message;

import org.jspecify.annotations.NullMarked;
