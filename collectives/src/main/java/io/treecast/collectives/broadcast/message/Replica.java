package io.treecast.collectives.broadcast.message;

import io.treecast.ghs.NodeId;

/**
 * A copy of a message at a member: the agent holds the whole message, from its start until it ends.
 * Immutable.
 *
 * @param member name of the member
 * @param incarnation incarnation of the member; the memory of an earlier one is lost
 */
public record Replica(NodeId member, long incarnation) {}
