package io.treecast.client;

/**
 * A link of the tree.
 *
 * @param low its end with the lower node id
 * @param high its other end
 * @param weightMicros what both ends had agreed that the link weighs when the tree was committed,
 *     in microseconds. That is its round trip, but for an edge that was beside the tree before: it
 *     has the cost of a change on top, by default once more the round trip, until the next commit.
 */
public record TreeEdge(String low, String high, long weightMicros) {}
