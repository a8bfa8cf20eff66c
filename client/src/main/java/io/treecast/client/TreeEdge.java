package io.treecast.client;

/**
 * A link of the tree.
 *
 * @param low its end with the lower node id
 * @param high its other end
 * @param weightMicros the link's weight when the tree was committed, as both ends had agreed it, in
 *     microseconds. It is the round trip; for an edge that is new in the tree it is, until the next
 *     commit, the round trip plus the cost of a change, by default twice the round trip.
 */
public record TreeEdge(String low, String high, long weightMicros) {}
