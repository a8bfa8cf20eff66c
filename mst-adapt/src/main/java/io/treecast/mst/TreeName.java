package io.treecast.mst;

import io.treecast.ghs.NodeId;

/**
 * Identifies a committed tree: two trees of one name are equal. See {@link CommittedTree}.
 *
 * @param version the version of the tree
 * @param root the member that announced it
 * @param rootIncarnation the incarnation in which it did
 */
public record TreeName(long version, NodeId root, long rootIncarnation) {}
