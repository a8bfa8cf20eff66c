package io.treecast.client;

/**
 * The tree along which a broadcast left its publisher's agent. A member outside the widest tree
 * receives an upload along the tree of round trips, from a member that is in both.
 *
 * @param metric the metric of the tree
 * @param version the version of the tree; each metric has its own versions
 */
public record DisseminationTree(TreeMetric metric, long version) {}
