/**
 * The vocabulary of agents: members and their addresses, and the messages between two agents on
 * control and data streams. Checks the numbers that a neighbour may claim. Immutable values.
 */
@NullMarked
package io.treecast.agent.core.message;

import org.jspecify.annotations.NullMarked;
