package io.treecast.collectives.broadcast.message;

import io.treecast.ghs.NodeId;

/**
 * A member that has the whole of a message: its agent, from when it started until it ends.
 * Immutable.
 *
 * @param member its name
 * @param incarnation which of its lives; the memory of an earlier one is gone
 */
public record Replica(NodeId member, long incarnation) {}
