package io.treecast.agent.core.contract;

import io.treecast.ghs.NodeId;
import java.util.Set;
import java.util.SortedSet;

/**
 * The edges along which an agent sends uploads.
 *
 * @param active the neighbours that receive uploads from this agent
 * @param held the neighbours whose slowness throttles uploads
 * @param from the neighbours that send uploads to this agent; they receive uploads only if they are
 *     also active
 */
public record UploadEdges(SortedSet<NodeId> active, Set<NodeId> held, Set<NodeId> from) {}
