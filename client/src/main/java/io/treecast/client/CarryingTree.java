package io.treecast.client;

/**
 * The tree along which a broadcast left its publisher's agent. A member that is not in the widest
 * tree gets an upload along the tree of round trips, from a member that is.
 *
 * @param metric which of the two trees
 * @param version of that tree; the two count their versions apart
 */
public record CarryingTree(TreeMetric metric, long version) {}
