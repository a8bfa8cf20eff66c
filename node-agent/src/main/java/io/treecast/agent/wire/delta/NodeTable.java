package io.treecast.agent.wire.delta;

import io.treecast.agent.core.message.Membership;
import io.treecast.agent.wire.value.Bounds;
import io.treecast.agent.wire.value.ValueCodec;
import io.treecast.agent.wire.value.WireViolation;
import io.treecast.ghs.NodeId;
import io.treecast.mst.CommittedView;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * The numbers of the nodes that one frame may mention: first the members of its base, in their
 * order, then the nodes whose ids are in the frame. Immutable.
 */
final class NodeTable {
  /** The maximum number of node ids in one frame: a full list of members, and a few others. */
  static final int MAX_NAMES = Membership.MAX_MEMBERS + 8;

  private static final char SEPARATOR = ',';

  private final @Nullable CommittedView base;
  private final int baseSize;
  private final List<NodeId> named;
  private final Map<NodeId, Integer> numbers = new HashMap<>();

  private NodeTable(@Nullable CommittedView base, List<NodeId> named) {
    this.base = base;
    this.baseSize = base == null ? 0 : base.size();
    this.named = named;
    named.forEach(node -> numbers.put(node, baseSize + numbers.size()));
  }

  /** Returns the table of a frame that mentions these nodes. */
  static NodeTable of(@Nullable CommittedView base, Collection<NodeId> nodes) {
    TreeSet<NodeId> named = new TreeSet<>();
    for (NodeId node : nodes) {
      if (base == null || !base.hasMember(node)) {
        named.add(node);
      }
    }
    return new NodeTable(base, List.copyOf(named));
  }

  /**
   * Parses the table of a received frame.
   *
   * @throws WireViolation if an id is invalid, out of order, or in the base
   */
  static NodeTable parse(@Nullable CommittedView base, String names) throws WireViolation {
    List<NodeId> named = new ArrayList<>();
    int begin = 0;
    while (begin <= names.length() && !names.isEmpty()) {
      if (named.size() == MAX_NAMES) {
        throw new WireViolation("more than " + MAX_NAMES + " node ids in a frame");
      }
      int separator = names.indexOf(SEPARATOR, begin);
      int end = separator < 0 ? names.length() : separator;
      NodeId node = ValueCodec.nodeId(names.substring(begin, end));
      if (!named.isEmpty() && named.get(named.size() - 1).compareTo(node) >= 0) {
        throw new WireViolation("node id " + node + " is out of order");
      }
      if (base != null && base.hasMember(node)) {
        throw new WireViolation("node id " + node + " is already in the base");
      }
      named.add(node);
      begin = end + 1;
    }
    return new NodeTable(base, named);
  }

  /** Returns the text that {@link #parse} reads. */
  String names() {
    StringBuilder names = new StringBuilder();
    for (NodeId node : named) {
      if (names.length() > 0) {
        names.append(SEPARATOR);
      }
      names.append(node);
    }
    return names.toString();
  }

  @Nullable CommittedView base() {
    return base;
  }

  /** Returns how many nodes come from the base. They have the lowest numbers. */
  int baseSize() {
    return baseSize;
  }

  /** Returns the number of nodes. */
  int size() {
    return baseSize + named.size();
  }

  int number(NodeId node) {
    int inBase = base == null ? -1 : base.number(node);
    if (inBase >= 0) {
      return inBase;
    }
    Integer number = numbers.get(node);
    if (number == null) {
      throw new IllegalArgumentException(node + " is not in the table of the frame");
    }
    return number;
  }

  /**
   * Returns the node with this number.
   *
   * @throws WireViolation if there is none
   */
  NodeId node(long number) throws WireViolation {
    int known = (int) Bounds.within("node number %s", number, 0, size() - 1);
    return base != null && known < baseSize ? base.member(known) : named.get(known - baseSize);
  }
}
