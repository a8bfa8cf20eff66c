package io.treecast.collectives;

import io.treecast.ghs.NodeId;

/**
 * How far a relay has come in the messages of one origin.
 *
 * @param origin the node that published them
 * @param incarnation its latest incarnation that was heard from
 * @param messages how many of that incarnation's messages, from the first on and without a gap,
 *     have arrived completely
 */
public record OriginProgress(NodeId origin, long incarnation, long messages) {}
