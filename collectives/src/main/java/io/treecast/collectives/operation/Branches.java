package io.treecast.collectives.operation;

import io.treecast.collectives.broadcast.tree.TreeEpoch;
import io.treecast.collectives.operation.contract.CombiningMessage.Contribution;
import io.treecast.collectives.operation.contract.CombiningMessage.Question;
import io.treecast.collectives.operation.contract.Operation;
import io.treecast.ghs.LinkWeight;
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

/** A committed tree as seen by one of its members: a branch behind each neighbour. Immutable. */
final class Branches {
  private static final SortedSet<NodeId> NOBODY = new TreeSet<>();

  private final NodeId self;
  private final CommittedTree tree;
  private final TreeEpoch epoch;

  /** The neighbour that begins the path to each other member. */
  private final Map<NodeId, NodeId> branchOf = new HashMap<>();

  /** The members behind each neighbour, the neighbour included. */
  private final TreeMap<NodeId, SortedSet<NodeId>> behind = new TreeMap<>();

  /** The middle of the tree, computed on first use. */
  private @Nullable NodeId middle;

  Branches(NodeId self, CommittedTree tree) {
    this(self, tree, TreeEpoch.of(tree));
  }

  private Branches(NodeId self, CommittedTree tree, TreeEpoch epoch) {
    this.self = self;
    this.tree = tree;
    this.epoch = epoch;
    for (NodeId neighbour : tree.neighbours(self)) {
      behind.put(neighbour, walk(neighbour));
    }
  }

  /** Returns the same tree for operations that have left its chain. */
  Branches afterChain() {
    return new Branches(self, tree, epoch.afterChain());
  }

  /**
   * Returns the chain of the members, as a tree in which each has at most two neighbours.
   *
   * @param order all members
   */
  Branches chain(List<NodeId> order) {
    List<LinkWeight> edges = new ArrayList<>();
    for (int i = 1; i < order.size(); i++) {
      edges.add(LinkWeight.between(order.get(i - 1), order.get(i), 1));
    }
    return new Branches(self, new CommittedTree(epoch.treeVersion(), epoch.root(), edges), epoch);
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

  /** Returns the number of members of the tree. */
  int size() {
    return tree.members().size();
  }

  TreeEpoch epoch() {
    return epoch;
  }

  /**
   * Returns the member where an operation is decided: its hub, which may be outside the tree, or
   * the middle.
   */
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

  /** Returns whether the centre is outside the tree: a hub that has left, or never was in it. */
  boolean isWithoutCentre(Operation operation) {
    return !isCentre(operation) && next(operation) == null;
  }

  /** Returns whether a question is for this very tree, and its centre is outside the tree. */
  boolean isWithoutCentre(Question question) {
    return question.epoch().equals(epoch) && isWithoutCentre(question.operation());
  }

  /**
   * Returns the neighbour on the path to the centre; null at the centre, and if it is outside the
   * tree.
   */
  @Nullable NodeId next(Operation operation) {
    NodeId centre = centre(operation);
    return centre.equals(self) ? null : branchOf.get(centre);
  }

  /**
   * Returns the neighbours to notify of new knowledge: the one on the path to the centre, and none
   * at the centre, which answers the members that wait. If the centre is outside the tree, all
   * neighbours.
   */
  Collection<NodeId> towardsCentre(Operation operation) {
    NodeId next = next(operation);
    if (next != null) {
      return List.of(next);
    }
    return isCentre(operation) ? List.of() : Collections.unmodifiableSet(behind.keySet());
  }

  /** Returns the neighbours, in their order. */
  Iterable<NodeId> neighbours() {
    return behind.keySet();
  }

  /** Returns the number of neighbours. */
  int degree() {
    return behind.size();
  }

  boolean isNeighbour(NodeId node) {
    return behind.containsKey(node);
  }

  /** Returns a neighbour and the members behind it; empty for others. */
  SortedSet<NodeId> behind(NodeId neighbour) {
    return behind.getOrDefault(neighbour, NOBODY);
  }

  /**
   * Returns whether a contribution names only members behind this neighbour, or is of another tree.
   */
  boolean mayComeFrom(NodeId neighbour, Contribution contribution) {
    SortedSet<NodeId> side = behind(neighbour);
    return !contribution.epoch().equals(epoch)
        || (side.containsAll(contribution.waiting()) && side.containsAll(contribution.done()));
  }

  /** Returns the participants among the members, as far as this member knows. */
  SortedSet<NodeId> known(Operation operation, SortedSet<NodeId> members) {
    TreeSet<NodeId> known = new TreeSet<>(members);
    known.retainAll(
        operation.participants().isEmpty() ? branchOf.keySet() : operation.participants());
    return known;
  }

  /** Returns the members that are not in the tree. */
  SortedSet<NodeId> outside(SortedSet<NodeId> members) {
    TreeSet<NodeId> outside = new TreeSet<>(members);
    outside.removeIf(tree::hasMember);
    return outside;
  }

  /** Returns whether a participant is behind this neighbour. */
  boolean concerns(NodeId neighbour, Operation operation) {
    return behind(neighbour).stream().anyMatch(operation::isFor);
  }

  /**
   * Returns the participants that have not arrived, among those whose path to the centre leads
   * through this member. At the centre these are all, including named participants outside the tree
   * unless the operation may lose members.
   */
  SortedSet<NodeId> missing(Operation operation, SortedSet<NodeId> arrived) {
    NodeId next = next(operation);
    SortedSet<NodeId> missing = new TreeSet<>();
    if (next == null && !operation.participants().isEmpty() && !operation.mayLoseMembers()) {
      missing.addAll(operation.participants());
    } else {
      for (NodeId member : tree.members()) {
        if (operation.isFor(member)
            && (next == null || !Objects.equals(next, branchOf.get(member)))) {
          missing.add(member);
        }
      }
    }
    missing.removeAll(arrived);
    return missing;
  }
}
