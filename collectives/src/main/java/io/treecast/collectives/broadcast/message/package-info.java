/**
 * The values of broadcast: streams, positions, messages, chunks, gaps, receipts, and the messages
 * that cross an edge of the tree.
 *
 * <p>In scope: immutable values and the checks of their components. Out of scope: the state and the
 * behaviour of a member.
 */
@NullMarked
package io.treecast.collectives.broadcast.message;

import org.jspecify.annotations.NullMarked;
