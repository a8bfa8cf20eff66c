/**
 * Replay of a recorded trace of round trips with agents in virtual time, and the report of their
 * trees. {@code io.treecast.testkit.network} reads traces.
 */
@NullMarked
package io.treecast.testkit.trace;

import org.jspecify.annotations.NullMarked;
