package io.treecast.agent.core.tree;

import io.treecast.agent.core.message.TreeMetric;

/**
 * The tree along which a message leaves an agent. Immutable.
 *
 * @param metric which of the two
 * @param version of it, as the agent has committed it
 */
public record CarryingTree(TreeMetric metric, long version) {}
