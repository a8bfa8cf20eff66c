package io.treecast.collectives.operation;

import io.treecast.collectives.operation.contract.Operation;
import io.treecast.collectives.operation.contract.Operation.Kind;
import io.treecast.ghs.NodeId;
import java.util.Map;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * An operation of a {@link CombiningRun}.
 *
 * @param tokens the members that have called it in this incarnation
 */
record PlannedOperation(Operation operation, Map<NodeId, String> tokens) {
  PlannedOperation(Operation operation) {
    this(operation, new TreeMap<>());
  }

  /** Returns whether a member takes part, and has no outcome. */
  boolean isDueAt(SimulatedMember node) {
    return operation.isFor(node.id) && !node.ended.contains(operation.name());
  }

  /**
   * Returns whether a member takes part, has no outcome, and is not refused for a different
   * operation.
   */
  boolean isOpenAt(SimulatedMember node) {
    return isDueAt(node)
        && (node.calls.containsValue(operation)
            || !node.disagreesWithNeighbour.contains(operation.name()));
  }

  /** Returns whether all needed members are present, or one that is present knows the outcome. */
  boolean canEnd(Map<NodeId, SimulatedMember> nodes) {
    SortedSet<NodeId> needed = new TreeSet<>(operation.participants());
    SortedSet<NodeId> present = new TreeSet<>(nodes.keySet());
    if (operation.mayLoseMembers()) {
      present.retainAll(needed);
      needed.clear();
    }
    if (operation.hub() != null) {
      needed.add(operation.hub());
    }
    return (present.containsAll(needed) && present.size() >= operation.minimum())
        || (operation.kind() != Kind.SCATTER
            && nodes.values().stream().anyMatch(node -> node.ended.contains(operation.name())));
  }
}
