package io.treecast.agent.wire.delta;

import static org.assertj.core.api.Assertions.assertThat;

import io.treecast.ghs.ConnectId;
import io.treecast.ghs.Edge;
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
import io.treecast.ghs.LinkWeight;
import io.treecast.ghs.MemberList;
import io.treecast.ghs.NodeId;
import io.treecast.ghs.Rank;
import io.treecast.ghs.Round;
import io.treecast.ghs.Subtree;
import io.treecast.ghs.TreeMessage;
import io.treecast.mst.ChangeCause;
import io.treecast.mst.ChangeHistory;
import io.treecast.mst.CommittedTree;
import io.treecast.mst.CommittedView;
import io.treecast.mst.MstMessage.Commit;
import io.treecast.mst.MstMessage.Cut;
import io.treecast.mst.MstMessage.CutOrder;
import io.treecast.mst.MstMessage.Failure;
import io.treecast.mst.MstMessage.Refuse;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The size of each kind of message on the wire in the reference network of 24 nodes: in full, and
 * where its tree crossed the stream before. Lives are numbered by the clock, in milliseconds.
 */
class TreeFrameSizeTest {
  private static final int SIZE = 24;
  private static final long LIFE = 1_800_000_000_000L;

  /** The minimum spanning tree of the reference network. */
  private static final List<LinkWeight> EDGES = edges();

  private static final Round COMMITTED = round(3, 1, 12, 40);
  private static final CommittedView BASE = view(COMMITTED, 17, 12, EDGES);

  private static List<LinkWeight> edges() {
    List<LinkWeight> edges = new ArrayList<>();
    for (int site = 0; site < SIZE; site += 4) {
      for (int node = site + 1; node < site + 4; node++) {
        edges.add(link(site, node, 200));
      }
    }
    edges.add(link(4, 16, 13_500));
    edges.add(link(0, 12, 14_900));
    edges.add(link(12, 20, 35_100));
    edges.add(link(12, 16, 331_000));
    edges.add(link(4, 8, 364_100));
    return List.copyOf(edges);
  }

  private static NodeId node(int number) {
    return NodeId.of(Integer.toString(number));
  }

  private static LinkWeight link(int one, int other, long rttMicros) {
    return LinkWeight.between(node(one), node(other), rttMicros);
  }

  private static ConnectId connectId(int sender) {
    return new ConnectId(node(sender), LIFE + sender, 5);
  }

  private static Round round(long epoch, int level, int founder, long number) {
    return new Round(
        new FragmentId(new Rank(epoch, level), node(founder), LIFE + founder, number), 2);
  }

  private static CommittedView view(Round round, long version, int root, List<LinkWeight> edges) {
    return new CommittedView(
        round,
        new CommittedTree(version, node(root), LIFE + root, edges),
        Set.of(ChangeCause.TREE_EDGE_WORSENED));
  }

  /**
   * Returns the tree without the link from 12 to 16, which became worse; 12 and 4 are linked
   * instead.
   */
  private static CommittedView changed() {
    List<LinkWeight> edges = new ArrayList<>(EDGES);
    edges.remove(link(12, 16, 331_000));
    edges.add(link(4, 12, 332_000));
    return view(round(4, 1, 12, 41), 18, 12, edges);
  }

  private static FragmentMap map(CommittedView view) {
    return FragmentMap.of(
        MemberList.of(view.tree().members()),
        view.tree().edges(),
        new ChangeHistory(17, BASE.tree().name(), Set.of(ChangeCause.TREE_EDGE_WORSENED)));
  }

  /** Returns the subtree below a node, as its echo reports it. */
  private static Subtree echo(int node) {
    List<Subtree> children = new ArrayList<>();
    for (NodeId next : BASE.tree().neighbours(node(node))) {
      if (!Objects.equals(next, BASE.parent(node(node)))) {
        children.add(echo(Integer.parseInt(next.toString())));
      }
    }
    return new Subtree(node(node), BASE.parentEdge(node(node)), children);
  }

  static List<Arguments> sizes() {
    Round search = round(4, 0, 12, 41);
    OutgoingEdge best = new OutgoingEdge(link(5, 13, 332_000), node(13));
    ChangeHistory history = new ChangeHistory(17, BASE.tree().name(), Set.of());
    return List.of(
        Arguments.of("Hello", new Hello(search.fragment()), 20, 18),
        Arguments.of(
            "Initiate",
            new Initiate(connectId(16), search, map(BASE).members(), new TreeSet<>()),
            98,
            35),
        Arguments.of(
            "Report", new Report(search, null, echo(16), 7L << 60, false, history), 149, 43),
        Arguments.of(
            "Report of an outgoing edge",
            new Report(search, best, echo(16), 7L << 60, false, history),
            164,
            55),
        Arguments.of("ChangeRoot", new ChangeRoot(search, map(BASE), 7L << 60), 212, 40),
        Arguments.of(
            "Connect",
            new Connect(connectId(16), search.fragment(), best.weight(), map(BASE), 7L << 60),
            231,
            59),
        Arguments.of("Nack", new Nack(connectId(16)), 18, 18),
        Arguments.of("Cancel", new Cancel(connectId(16)), 18, 18),
        Arguments.of("Decline", new Decline(connectId(16)), 18, 18),
        Arguments.of("Commit", new Commit(connectId(16), changed(), false), 216, 64),
        Arguments.of("Cut", new Cut(connectId(16)), 18, 18),
        Arguments.of(
            "Failure",
            new Failure(COMMITTED.fragment(), new Edge(node(12), node(16)), null),
            27,
            7),
        Arguments.of("Wake", new Wake(COMMITTED), 26, 5),
        Arguments.of("CutOrder", new CutOrder(COMMITTED, node(16), link(4, 12, 200_000)), 43, 15),
        Arguments.of(
            "Refuse",
            new Refuse(COMMITTED, node(16), link(12, 16, 190_000), link(4, 12, 200_000)),
            53,
            23));
  }

  @ParameterizedTest(name = "{0}: {2} and {3}")
  @MethodSource("sizes")
  void a_message_takes_this_many_bytes_in_full_and_against_a_base(
      String kind, TreeMessage message, int inFull, int againstBase) throws Exception {
    TreeCodec near = new TreeCodec(TreeSharing.NONE);
    TreeCodec far = new TreeCodec(TreeSharing.NONE);
    int bytesInFull = new TreeCodec(TreeSharing.NONE).encode(message).getSerializedSize();
    near.decode(far.encode(new Commit(connectId(12), BASE, false)));
    near.encode(new Wake(COMMITTED)); // Says that the tree has arrived.
    int bytesAgainstBase = near.encode(message).getSerializedSize();
    assertThat(List.of(bytesInFull, bytesAgainstBase))
        .as(kind)
        .isEqualTo(List.of(inFull, againstBase));
  }
}
