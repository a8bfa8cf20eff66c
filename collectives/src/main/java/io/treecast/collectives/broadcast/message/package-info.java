/**
 * The vocabulary of broadcast: streams, positions, messages, chunks, gaps, receipts, and the
 * messages that cross an edge of the tree. Immutable values; no state and no behaviour of a member.
 */
@NullMarked
package io.treecast.collectives.broadcast.message;

import org.jspecify.annotations.NullMarked;
