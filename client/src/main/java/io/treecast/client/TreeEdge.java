package io.treecast.client;

/**
 * A link of the tree.
 *
 * @param low its end with the lower node id
 * @param high its other end
 * @param weightMicros the link's agreed weight at the commit of the tree, in microseconds: the
 *     round trip. For an edge that is new in the tree, until the next commit, it also includes the
 *     cost of a change, by default twice the round trip.
 */
public record TreeEdge(String low, String high, long weightMicros) {}
