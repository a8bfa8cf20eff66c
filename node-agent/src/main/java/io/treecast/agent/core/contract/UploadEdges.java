package io.treecast.agent.core.contract;

import io.treecast.ghs.NodeId;
import java.util.Set;
import java.util.SortedSet;

/**
 * Along which edges an agent sends uploads.
 *
 * @param active the other ends
 * @param held those whose slowness holds back whoever uploads
 * @param from those that send here and that nothing is sent to, unless they are active, too
 */
public record UploadEdges(SortedSet<NodeId> active, Set<NodeId> held, Set<NodeId> from) {}
