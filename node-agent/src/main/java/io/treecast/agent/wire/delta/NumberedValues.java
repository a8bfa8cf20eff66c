package io.treecast.agent.wire.delta;

import io.treecast.agent.wire.value.Bounds;
import io.treecast.agent.wire.value.WireViolation;
import io.treecast.ghs.ConnectId;
import io.treecast.ghs.FragmentId;
import io.treecast.ghs.GhsMessage.OutgoingEdge;
import io.treecast.ghs.History;
import io.treecast.ghs.LinkWeight;
import io.treecast.ghs.NodeId;
import io.treecast.ghs.Rank;
import io.treecast.ghs.Round;
import io.treecast.mst.ChangeCause;
import io.treecast.mst.ChangeHistory;
import io.treecast.mst.CommittedView;
import io.treecast.mst.TreeName;
import io.treecast.proto.v1.NumberedLink;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Codec of the values in tree messages. Nodes are numbers of the frame's table, and rounds may be
 * taken from the frame's base. One instance for each frame.
 *
 * <p>A value out of the range of its type causes an {@link IllegalArgumentException} of that type.
 */
final class NumberedValues {
  /**
   * The maximum epoch or version, which can be incremented without overflow. The core applies a
   * much lower bound, the highest count that a correct agent can have.
   */
  static final long MAX_COUNT = 1L << 60;

  private final NodeTable table;

  NumberedValues(NodeTable table) {
    this.table = table;
  }

  NodeTable table() {
    return table;
  }

  int number(NodeId node) {
    return table.number(node);
  }

  NodeId node(int number) throws WireViolation {
    return table.node(Integer.toUnsignedLong(number));
  }

  /** Decodes a fragment; an absent one is that of the base. */
  io.treecast.proto.v1.@Nullable FragmentId encode(FragmentId fragment) {
    CommittedView base = table.base();
    if (base != null && base.round().fragment().equals(fragment)) {
      return null;
    }
    return io.treecast.proto.v1.FragmentId.newBuilder()
        .setEpoch(fragment.rank().epoch())
        .setLevel(fragment.rank().level())
        .setFounder(number(fragment.founder()))
        .setIncarnation(fragment.incarnation())
        .setNumber(fragment.number())
        .build();
  }

  FragmentId fragment(boolean isPresent, io.treecast.proto.v1.FragmentId fragment)
      throws WireViolation {
    if (!isPresent) {
      return base("fragment").round().fragment();
    }
    return new FragmentId(
        new Rank(bounded("epoch", fragment.getEpoch()), fragment.getLevel()),
        node(fragment.getFounder()),
        fragment.getIncarnation(),
        fragment.getNumber());
  }

  /** Decodes a round; an absent one is that of the base. */
  io.treecast.proto.v1.@Nullable Round encode(Round round) {
    CommittedView base = table.base();
    if (base != null && base.round().equals(round)) {
      return null;
    }
    io.treecast.proto.v1.Round.Builder encoded =
        io.treecast.proto.v1.Round.newBuilder().setNumber(round.number());
    io.treecast.proto.v1.FragmentId fragment = encode(round.fragment());
    if (fragment != null) {
      encoded.setFragment(fragment);
    }
    return encoded.build();
  }

  Round round(boolean isPresent, io.treecast.proto.v1.Round round) throws WireViolation {
    return isPresent
        ? new Round(fragment(round.hasFragment(), round.getFragment()), round.getNumber())
        : base("round").round();
  }

  private CommittedView base(String missing) throws WireViolation {
    CommittedView base = table.base();
    if (base == null) {
      throw new WireViolation("neither a " + missing + " nor a base to take it from");
    }
    return base;
  }

  io.treecast.proto.v1.ConnectId encode(ConnectId id) {
    return io.treecast.proto.v1.ConnectId.newBuilder()
        .setSender(number(id.sender()))
        .setIncarnation(id.incarnation())
        .setNumber(id.number())
        .build();
  }

  ConnectId decode(io.treecast.proto.v1.ConnectId id) throws WireViolation {
    return new ConnectId(node(id.getSender()), id.getIncarnation(), id.getNumber());
  }

  NumberedLink encode(LinkWeight link) {
    return NumberedLink.newBuilder()
        .setCost(link.cost())
        .setLow(number(link.low()))
        .setHigh(number(link.high()))
        .build();
  }

  LinkWeight decode(NumberedLink link) throws WireViolation {
    return new LinkWeight(link.getCost(), node(link.getLow()), node(link.getHigh()));
  }

  io.treecast.proto.v1.OutgoingEdge encode(OutgoingEdge edge) {
    LinkWeight link = edge.weight();
    return io.treecast.proto.v1.OutgoingEdge.newBuilder()
        .setLink(encode(link))
        .setFarEndIsLow(!link.opposite(edge.farEnd()).equals(link.low()))
        .build();
  }

  OutgoingEdge decode(io.treecast.proto.v1.OutgoingEdge edge) throws WireViolation {
    LinkWeight link = decode(edge.getLink());
    return new OutgoingEdge(link, edge.getFarEndIsLow() ? link.low() : link.high());
  }

  io.treecast.proto.v1.History encode(History history) {
    ChangeHistory content = ChangeHistory.of(history);
    io.treecast.proto.v1.History.Builder encoded =
        io.treecast.proto.v1.History.newBuilder().addAllCauses(encode(content.causes()));
    TreeName common = content.common();
    CommittedView base = table.base();
    if (base != null && base.tree().name().equals(common)) {
      return encoded.setAllHaveBase(true).build();
    }
    if (common != null) {
      encoded
          .setCommonRoot(number(common.root()))
          .setCommonRootIncarnation(common.rootIncarnation());
    }
    return encoded.setVersion(content.version()).build();
  }

  ChangeHistory decode(io.treecast.proto.v1.History history) throws WireViolation {
    TreeName common = null;
    long version = bounded("version", history.getVersion());
    if (history.getAllHaveBase()) {
      common = base("tree").tree().name();
      version = common.version();
    } else if (history.hasCommonRoot()) {
      common =
          new TreeName(version, node(history.getCommonRoot()), history.getCommonRootIncarnation());
    }
    return new ChangeHistory(version, common, decode(history.getCausesList()));
  }

  static long bounded(String what, long count) throws WireViolation {
    return Bounds.within(what + " %s", count, 0, MAX_COUNT);
  }

  static List<io.treecast.proto.v1.ChangeCause> encode(Set<ChangeCause> causes) {
    EnumSet<ChangeCause> ordered = EnumSet.noneOf(ChangeCause.class);
    ordered.addAll(causes);
    return ordered.stream().map(NumberedValues::encode).toList();
  }

  private static io.treecast.proto.v1.ChangeCause encode(ChangeCause cause) {
    return switch (cause) {
      case MEMBER_STARTED -> io.treecast.proto.v1.ChangeCause.CHANGE_CAUSE_MEMBER_STARTED;
      case TREE_LINK_LOST -> io.treecast.proto.v1.ChangeCause.CHANGE_CAUSE_TREE_LINK_LOST;
      case TREE_EDGE_WORSENED -> io.treecast.proto.v1.ChangeCause.CHANGE_CAUSE_TREE_EDGE_WORSENED;
      case LIGHTER_LINK -> io.treecast.proto.v1.ChangeCause.CHANGE_CAUSE_LIGHTER_LINK;
      case LINK_TO_NON_MEMBER -> io.treecast.proto.v1.ChangeCause.CHANGE_CAUSE_LINK_TO_NON_MEMBER;
    };
  }

  static Set<ChangeCause> decode(List<io.treecast.proto.v1.ChangeCause> causes)
      throws WireViolation {
    EnumSet<ChangeCause> decoded = EnumSet.noneOf(ChangeCause.class);
    for (io.treecast.proto.v1.ChangeCause cause : causes) {
      if (!decoded.add(decode(cause))) {
        throw new WireViolation("the cause " + cause + " twice");
      }
    }
    return decoded;
  }

  private static ChangeCause decode(io.treecast.proto.v1.ChangeCause cause) throws WireViolation {
    return switch (cause) {
      case CHANGE_CAUSE_MEMBER_STARTED -> ChangeCause.MEMBER_STARTED;
      case CHANGE_CAUSE_TREE_LINK_LOST -> ChangeCause.TREE_LINK_LOST;
      case CHANGE_CAUSE_TREE_EDGE_WORSENED -> ChangeCause.TREE_EDGE_WORSENED;
      case CHANGE_CAUSE_LIGHTER_LINK -> ChangeCause.LIGHTER_LINK;
      case CHANGE_CAUSE_LINK_TO_NON_MEMBER -> ChangeCause.LINK_TO_NON_MEMBER;
      case CHANGE_CAUSE_UNSPECIFIED, UNRECOGNIZED ->
          throw new WireViolation("an unknown cause of change");
    };
  }
}
