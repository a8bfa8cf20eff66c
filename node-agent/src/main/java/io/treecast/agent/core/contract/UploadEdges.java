package io.treecast.agent.core.contract;

import io.treecast.ghs.NodeId;
import java.util.Set;
import java.util.SortedSet;

/**
 * The edges along which an agent sends uploads.
 *
 * @param active the other ends
 * @param held those whose slowness holds back uploads
 * @param from those that send here and receive nothing, unless they are active, too
 */
public record UploadEdges(SortedSet<NodeId> active, Set<NodeId> held, Set<NodeId> from) {}
