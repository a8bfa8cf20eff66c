package io.treecast.collectives.operation;

import io.treecast.collectives.broadcast.tree.TreeEpoch;
import io.treecast.collectives.operation.CombiningMessage.Contribution;
import io.treecast.collectives.operation.CombiningMessage.Question;
import io.treecast.ghs.NodeId;
import io.treecast.mst.CommittedTree;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** A committed tree as one of its members sees it: a branch behind each neighbour. Immutable. */
final class Branches {
  private static final SortedSet<NodeId> NOBODY = new TreeSet<>();

  private final NodeId self;
  private final CommittedTree tree;
  private final TreeEpoch epoch;

  /** By which neighbour the way to each other member begins. */
  private final Map<NodeId, NodeId> branchOf = new HashMap<>();

  /** The members behind each neighbour, itself included. */
  private final TreeMap<NodeId, SortedSet<NodeId>> behind = new TreeMap<>();

  /** Null until it is asked for. */
  private @Nullable NodeId middle;

  Branches(NodeId self, CommittedTree tree) {
    this.self = self;
    this.tree = tree;
    this.epoch = TreeEpoch.of(tree);
    for (NodeId neighbour : tree.neighbours(self)) {
      behind.put(neighbour, walk(neighbour));
    }
  }

  private SortedSet<NodeId> walk(NodeId neighbour) {
    branchOf.put(self, self);
    branchOf.put(neighbour, neighbour);
    List<NodeId> reached = new ArrayList<>(List.of(neighbour));
    for (int i = 0; i < reached.size(); i++) {
      for (NodeId next : tree.neighbours(reached.get(i))) {
        if (branchOf.putIfAbsent(next, neighbour) == null) {
          reached.add(next);
        }
      }
    }
    return new TreeSet<>(reached);
  }

  SortedSet<NodeId> members() {
    return tree.members();
  }

  /** How many members the tree has. */
  int size() {
    return tree.members().size();
  }

  TreeEpoch epoch() {
    return epoch;
  }

  /** Where an operation comes together: at its hub, which may be out of the tree, or the middle. */
  NodeId centre(Operation operation) {
    NodeId hub = operation.hub();
    if (hub != null) {
      return hub;
    }
    NodeId found = middle;
    if (found == null) {
      found = TreeCentre.of(tree);
      middle = found;
    }
    return found;
  }

  boolean isCentre(Operation operation) {
    return centre(operation).equals(self);
  }

  /** Whether the centre is out of the tree: a hub that has left, or never was there. */
  boolean isWithoutCentre(Operation operation) {
    return !isCentre(operation) && next(operation) == null;
  }

  /** Whether somebody asks on this very tree, where the centre is out of it. */
  boolean isWithoutCentre(Question question) {
    return question.epoch().equals(epoch) && isWithoutCentre(question.operation());
  }

  /** The neighbour on the way to the centre; null at the centre, and if it is out of the tree. */
  @Nullable NodeId next(Operation operation) {
    NodeId centre = centre(operation);
    return centre.equals(self) ? null : branchOf.get(centre);
  }

  /**
   * Where to tell what becomes known here: the neighbour on the way to the centre, and nobody at
   * the centre, which answers those who wait. If it is out of the tree nobody does, so each
   * neighbour.
   */
  Collection<NodeId> towardsCentre(Operation operation) {
    NodeId next = next(operation);
    if (next != null) {
      return List.of(next);
    }
    return isCentre(operation) ? List.of() : Collections.unmodifiableSet(behind.keySet());
  }

  /** The neighbours, in their order. */
  Iterable<NodeId> neighbours() {
    return behind.keySet();
  }

  boolean isNeighbour(NodeId node) {
    return behind.containsKey(node);
  }

  /** A neighbour and the members that are further away; nobody behind others. */
  SortedSet<NodeId> behind(NodeId neighbour) {
    return behind.getOrDefault(neighbour, NOBODY);
  }

  /** Whether a contribution is of those behind this neighbour, or of another tree. */
  boolean mayBeToldBy(NodeId neighbour, Contribution contribution) {
    SortedSet<NodeId> side = behind(neighbour);
    return !contribution.epoch().equals(epoch)
        || (side.containsAll(contribution.waiting()) && side.containsAll(contribution.done()));
  }

  /** Those of them who take part, as far as this member can tell. */
  SortedSet<NodeId> known(Operation operation, SortedSet<NodeId> members) {
    TreeSet<NodeId> known = new TreeSet<>(members);
    known.retainAll(
        operation.participants().isEmpty() ? branchOf.keySet() : operation.participants());
    return known;
  }

  /** Those of them who are not in the tree. */
  SortedSet<NodeId> outside(SortedSet<NodeId> members) {
    TreeSet<NodeId> outside = new TreeSet<>(members);
    outside.removeIf(tree::hasMember);
    return outside;
  }

  /** Whether anybody behind this neighbour takes part. */
  boolean concerns(NodeId neighbour, Operation operation) {
    return behind(neighbour).stream().anyMatch(operation::isFor);
  }

  /**
   * Who takes part and is yet to come, of those whose way to the centre leads by this member; at
   * the centre of all, those that are named and out of the tree included.
   */
  SortedSet<NodeId> missing(Operation operation, SortedSet<NodeId> come) {
    NodeId next = next(operation);
    SortedSet<NodeId> missing = new TreeSet<>();
    if (next == null && !operation.participants().isEmpty()) {
      missing.addAll(operation.participants());
    } else {
      for (NodeId member : tree.members()) {
        if (operation.isFor(member)
            && (next == null || !Objects.equals(next, branchOf.get(member)))) {
          missing.add(member);
        }
      }
    }
    missing.removeAll(come);
    return missing;
  }
}
