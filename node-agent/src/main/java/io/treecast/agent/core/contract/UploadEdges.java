package io.treecast.agent.core.contract;

import io.treecast.ghs.NodeId;
import java.util.Set;
import java.util.SortedSet;

/**
 * The edges along which an agent sends uploads.
 *
 * @param active the other ends
 * @param held those whose slowness holds back uploads
 */
public record UploadEdges(SortedSet<NodeId> active, Set<NodeId> held) {}
