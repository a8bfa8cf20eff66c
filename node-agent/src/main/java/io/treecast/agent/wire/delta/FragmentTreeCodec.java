package io.treecast.agent.wire.delta;

import io.treecast.agent.core.message.Membership;
import io.treecast.agent.wire.value.Bounds;
import io.treecast.agent.wire.value.WireViolation;
import io.treecast.ghs.LinkWeight;
import io.treecast.ghs.MemberList;
import io.treecast.ghs.NodeId;
import io.treecast.mst.CommittedView;
import io.treecast.proto.v1.FragmentTree;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Codec of members and the edges between them, as a difference against the frame's base. Edges of
 * the base between two members are omitted; missing or new ones are encoded.
 */
final class FragmentTreeCodec {
  private static final int NUMBERS_PER_EDGE = 3;

  private final NodeTable table;

  FragmentTreeCodec(NodeTable table) {
    this.table = table;
  }

  /**
   * The decoded tree.
   *
   * @param members the members, in the order of their numbers
   */
  record Decoded(List<NodeId> members, List<LinkWeight> edges) {}

  private record AddedEdge(int lower, int higher, long cost) {}

  /** Encodes members as runs of their numbers; without runs if they are all nodes of the frame. */
  List<Integer> encodeMembers(Iterable<NodeId> members) {
    return encodeMembers(numbers(members));
  }

  private List<Integer> encodeMembers(BitSet members) {
    if (members.isEmpty()) {
      throw new IllegalArgumentException("a fragment without members");
    }
    return members.cardinality() == table.size() ? List.of() : Runs.encode(members);
  }

  private BitSet numbers(Iterable<NodeId> nodes) {
    BitSet numbers = new BitSet();
    nodes.forEach(node -> numbers.set(table.number(node)));
    return numbers;
  }

  /** Decodes the result of {@link #encodeMembers}, in the order of the numbers. */
  MemberList decodeMembers(List<Integer> runs) throws WireViolation {
    BitSet numbers = memberNumbers(runs);
    CommittedView base = table.base();
    return base != null && table.size() == base.size() && numbers.cardinality() == base.size()
        ? base.members()
        : MemberList.of(nodes(numbers));
  }

  private BitSet memberNumbers(List<Integer> runs) throws WireViolation {
    BitSet numbers;
    if (runs.isEmpty()) {
      numbers = new BitSet();
      numbers.set(0, table.size());
    } else {
      numbers = Runs.decode(runs, table.size());
    }
    Bounds.within("fragment of %s members", numbers.cardinality(), 1, Membership.MAX_MEMBERS);
    return numbers;
  }

  private List<NodeId> nodes(BitSet numbers) throws WireViolation {
    List<NodeId> nodes = new ArrayList<>(numbers.cardinality());
    for (int i = numbers.nextSetBit(0); i >= 0; i = numbers.nextSetBit(i + 1)) {
      nodes.add(table.node(i));
    }
    return nodes;
  }

  FragmentTree encode(Iterable<NodeId> members, Collection<LinkWeight> edges) {
    BitSet memberNumbers = numbers(members);
    BitSet known = edgesOfBaseBetween(memberNumbers);
    BitSet removed = (BitSet) known.clone();
    List<AddedEdge> added = new ArrayList<>();
    for (LinkWeight edge : edges) {
      int one = table.number(edge.low());
      int other = table.number(edge.high());
      int lowerEnd = lowerEndInBase(one, other);
      if (lowerEnd >= 0) {
        removed.clear(lowerEnd); // The base edge is present, or another weight replaces it.
      }
      if (lowerEnd < 0 || !known.get(lowerEnd) || !edge.equals(edgeOfBase(lowerEnd))) {
        added.add(new AddedEdge(Math.min(one, other), Math.max(one, other), edge.cost()));
      }
    }
    FragmentTree.Builder encoded =
        FragmentTree.newBuilder()
            .addAllMembers(encodeMembers(memberNumbers))
            .addAllRemovedEdges(Runs.encode(removed));
    added.sort(Comparator.comparingInt(AddedEdge::lower).thenComparingInt(AddedEdge::higher));
    int last = 0;
    for (AddedEdge edge : added) {
      encoded
          .addAddedEdges(edge.lower - last)
          .addAddedEdges(edge.higher - edge.lower)
          .addAddedEdges(edge.cost);
      last = edge.lower;
    }
    return encoded.build();
  }

  /**
   * Decodes the members and edges.
   *
   * @throws WireViolation if there are too many of them, or if they are inconsistent
   */
  Decoded decode(FragmentTree tree) throws WireViolation {
    BitSet members = memberNumbers(tree.getMembersList());
    BitSet kept = edgesOfBaseBetween(members);
    kept.andNot(Runs.decode(tree.getRemovedEdgesList(), table.baseSize()));
    List<LinkWeight> added = decodeAdded(tree.getAddedEdgesList(), kept);
    List<LinkWeight> edges = new ArrayList<>(kept.cardinality() + added.size());
    for (int i = kept.nextSetBit(0); i >= 0; i = kept.nextSetBit(i + 1)) {
      LinkWeight edge = edgeOfBase(i);
      if (edge != null) {
        edges.add(edge);
      }
    }
    edges.addAll(added);
    Bounds.within("%s edges", edges.size(), 0, Membership.MAX_MEMBERS - 1);
    return new Decoded(nodes(members), edges);
  }

  private List<LinkWeight> decodeAdded(List<Long> numbers, BitSet kept) throws WireViolation {
    if (numbers.size() % NUMBERS_PER_EDGE != 0) {
      throw new WireViolation(numbers.size() + " numbers, where each edge takes three");
    }
    List<LinkWeight> added = new ArrayList<>(numbers.size() / NUMBERS_PER_EDGE);
    long lower = 0;
    for (int i = 0; i < numbers.size(); i += NUMBERS_PER_EDGE) {
      lower += bounded(numbers.get(i));
      long higher = lower + bounded(numbers.get(i + 1));
      added.add(LinkWeight.between(table.node(lower), table.node(higher), numbers.get(i + 2)));
      int replaced = lowerEndInBase((int) lower, (int) higher);
      if (replaced >= 0) {
        kept.clear(replaced);
      }
    }
    return added;
  }

  private int bounded(long difference) throws WireViolation {
    return (int) Bounds.within("edge to %s nodes further", difference, 0, table.size() - 1);
  }

  /** Returns the lower ends of the base's edges between two of these members. */
  private BitSet edgesOfBaseBetween(BitSet members) {
    BitSet lowerEnds = new BitSet();
    CommittedView base = table.base();
    if (base == null) {
      return lowerEnds;
    }
    int end = table.baseSize();
    for (int i = members.nextSetBit(0); i >= 0 && i < end; i = members.nextSetBit(i + 1)) {
      int parent = base.parentNumber(i);
      if (parent >= 0 && members.get(parent)) {
        lowerEnds.set(i);
      }
    }
    return lowerEnds;
  }

  /** Returns which of the two nodes is the child of the other in the base; -1 if neither is. */
  private int lowerEndInBase(int one, int other) {
    CommittedView base = table.base();
    if (base == null || Math.max(one, other) >= table.baseSize()) {
      return -1;
    }
    if (base.parentNumber(one) == other) {
      return one;
    }
    return base.parentNumber(other) == one ? other : -1;
  }

  private @Nullable LinkWeight edgeOfBase(int lowerEnd) {
    CommittedView base = table.base();
    return base == null ? null : base.parentEdge(lowerEnd);
  }
}
