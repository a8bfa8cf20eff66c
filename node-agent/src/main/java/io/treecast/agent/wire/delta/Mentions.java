package io.treecast.agent.wire.delta;

import io.treecast.ghs.ConnectId;
import io.treecast.ghs.FragmentId;
import io.treecast.ghs.FragmentMap;
import io.treecast.ghs.GhsMessage.Cancel;
import io.treecast.ghs.GhsMessage.ChangeRoot;
import io.treecast.ghs.GhsMessage.Connect;
import io.treecast.ghs.GhsMessage.Decline;
import io.treecast.ghs.GhsMessage.Hello;
import io.treecast.ghs.GhsMessage.Initiate;
import io.treecast.ghs.GhsMessage.Nack;
import io.treecast.ghs.GhsMessage.OutgoingEdge;
import io.treecast.ghs.GhsMessage.Report;
import io.treecast.ghs.GhsMessage.Wake;
import io.treecast.ghs.History;
import io.treecast.ghs.LinkWeight;
import io.treecast.ghs.MemberList;
import io.treecast.ghs.NodeId;
import io.treecast.ghs.Round;
import io.treecast.ghs.Subtree;
import io.treecast.ghs.TreeMessage;
import io.treecast.mst.ChangeHistory;
import io.treecast.mst.CommittedView;
import io.treecast.mst.MstMessage.Commit;
import io.treecast.mst.MstMessage.Cut;
import io.treecast.mst.MstMessage.CutOrder;
import io.treecast.mst.MstMessage.Failure;
import io.treecast.mst.MstMessage.Refuse;
import io.treecast.mst.TreeMessageVisitor;
import io.treecast.mst.TreeName;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The nodes and edges that one message mentions. They determine the best base, which lacks the
 * least of them.
 */
final class Mentions {
  /** The approximate encoded sizes of parts that the base lacks, in bytes. */
  private static final int EDGE_BYTES = 5;

  private static final int FRAGMENT_BYTES = 12;
  private static final int ROUND_BYTES = 4;

  private final Set<NodeId> nodes = new LinkedHashSet<>();
  private final List<LinkWeight> edges = new ArrayList<>();
  private @Nullable FragmentId fragment;
  private @Nullable Round round;

  private Mentions() {}

  static Mentions of(TreeMessage message) {
    Mentions mentions = new Mentions();
    TreeMessageVisitor.visit(message, mentions.new Collector());
    return mentions;
  }

  Set<NodeId> nodes() {
    return nodes;
  }

  /**
   * Returns the approximate encoded size of the parts that the base lacks, in bytes.
   *
   * @param enough the size at which to stop counting, since another base is better
   */
  long bytesBeside(@Nullable CommittedView base, long enough) {
    long bytes = 0;
    if (fragment != null && (base == null || !base.round().fragment().equals(fragment))) {
      bytes += FRAGMENT_BYTES;
    }
    if (round != null && (base == null || !base.round().equals(round))) {
      bytes += ROUND_BYTES;
    }
    for (LinkWeight edge : edges) {
      if (bytes >= enough) {
        return bytes;
      }
      if (base == null || !base.hasEdge(edge)) {
        bytes += EDGE_BYTES;
      }
    }
    for (NodeId node : nodes) {
      if (bytes >= enough) {
        return bytes;
      }
      if (base == null || !base.hasMember(node)) {
        bytes += nameBytes(node);
      }
    }
    return bytes;
  }

  /** Returns the encoded size of all node ids, in bytes. */
  long nameBytes() {
    return nodes.stream().mapToLong(Mentions::nameBytes).sum();
  }

  /** Returns the encoded size of an id with its separator. */
  private static long nameBytes(NodeId node) {
    return node.toString().length() + 1L;
  }

  private final class Collector implements TreeMessageVisitor<RuntimeException> {
    private void add(FragmentId id) {
      fragment = id;
      nodes.add(id.founder());
    }

    private void add(Round named) {
      round = named;
      add(named.fragment());
    }

    private void add(ConnectId id) {
      nodes.add(id.sender());
    }

    private void add(LinkWeight link) {
      nodes.add(link.low());
      nodes.add(link.high());
    }

    private void add(MemberList members) {
      members.forEach(nodes::add);
    }

    private void add(FragmentMap map) {
      add(map.members());
      add(map.history());
      for (LinkWeight edge : map.edges()) {
        add(edge);
        edges.add(edge);
      }
    }

    private void add(History history) {
      TreeName common = ChangeHistory.of(history).common();
      if (common != null) {
        nodes.add(common.root());
      }
    }

    private void add(Subtree echo) {
      for (Subtree part : echo.flat()) {
        nodes.add(part.node());
        LinkWeight edge = part.parentEdge();
        if (edge != null) {
          add(edge);
          edges.add(edge);
        }
      }
    }

    @Override
    public void hello(Hello message) {
      add(message.fragment());
    }

    @Override
    public void initiate(Initiate message) {
      add(message.edge());
      add(message.round());
      add(message.members());
      nodes.addAll(message.suspects());
    }

    @Override
    public void report(Report message) {
      add(message.round());
      OutgoingEdge best = message.best();
      if (best != null) {
        add(best.weight());
      }
      add(message.echo());
      add(message.history());
    }

    @Override
    public void changeRoot(ChangeRoot message) {
      add(message.round());
      add(message.map());
    }

    @Override
    public void connect(Connect message) {
      add(message.id());
      add(message.fragment());
      add(message.weight());
      add(message.map());
    }

    @Override
    public void nack(Nack message) {
      add(message.id());
    }

    @Override
    public void cancel(Cancel message) {
      add(message.id());
    }

    @Override
    public void decline(Decline message) {
      add(message.id());
    }

    @Override
    public void commit(Commit message) {
      add(message.edge());
      CommittedView view = message.view();
      add(view.round());
      nodes.add(view.tree().root());
      for (LinkWeight edge : view.tree().edges()) {
        add(edge);
        edges.add(edge);
      }
    }

    @Override
    public void cut(Cut message) {
      add(message.edge());
    }

    @Override
    public void failure(Failure message) {
      add(message.fragment());
      nodes.add(message.edge().low());
      nodes.add(message.edge().high());
    }

    @Override
    public void wake(Wake message) {
      add(message.round());
    }

    @Override
    public void cutOrder(CutOrder message) {
      add(message.version());
      nodes.add(message.lowerEnd());
      add(message.lighterLink());
    }

    @Override
    public void refuse(Refuse message) {
      add(message.version());
      nodes.add(message.lowerEnd());
      add(message.present());
      add(message.lighterLink());
    }
  }
}
