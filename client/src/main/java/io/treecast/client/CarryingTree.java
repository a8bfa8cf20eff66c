package io.treecast.client;

/**
 * The tree along which a broadcast left its publisher's agent. Members that are in no widest tree
 * get an upload along the tree of round trips from one that is.
 *
 * @param metric which of the two
 * @param version of that tree; the two count their versions apart
 */
public record CarryingTree(TreeMetric metric, long version) {}
