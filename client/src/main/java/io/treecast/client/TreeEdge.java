package io.treecast.client;

/**
 * A link of the tree.
 *
 * @param low its end with the lower node id
 * @param high its other end
 * @param rttMicros the round-trip time that the tree was built from, in microseconds
 */
public record TreeEdge(String low, String high, long rttMicros) {}
