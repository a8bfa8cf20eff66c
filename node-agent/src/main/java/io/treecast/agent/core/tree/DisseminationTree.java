package io.treecast.agent.core.tree;

import io.treecast.agent.core.message.TreeMetric;

/**
 * The tree along which an agent sends a message. Immutable.
 *
 * @param metric which of the two trees
 * @param version the version of the tree that the agent has committed
 */
public record DisseminationTree(TreeMetric metric, long version) {}
