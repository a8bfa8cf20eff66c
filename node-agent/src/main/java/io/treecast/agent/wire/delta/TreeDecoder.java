package io.treecast.agent.wire.delta;

import io.treecast.agent.wire.value.WireViolation;
import io.treecast.ghs.Edge;
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
import io.treecast.ghs.MemberList;
import io.treecast.ghs.NodeId;
import io.treecast.ghs.Round;
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
import io.treecast.proto.v1.ControlFrame;
import io.treecast.proto.v1.FragmentTree;
import java.util.Set;
import java.util.TreeSet;

/** Decodes one tree message from a frame and its table of nodes. */
final class TreeDecoder {
  private final NumberedValues values;
  private final FragmentTreeCodec trees;
  private final TreeSharing sharing;

  TreeDecoder(NodeTable table, TreeSharing sharing) {
    this.sharing = sharing;
    this.values = new NumberedValues(table);
    this.trees = new FragmentTreeCodec(table);
  }

  /**
   * Decodes the message.
   *
   * @throws WireViolation if no agent of this version sends such a message
   * @throws IllegalArgumentException if a value is out of the range of its type
   */
  TreeMessage decode(ControlFrame frame) throws WireViolation {
    return switch (frame.getBodyCase()) {
      case FRAGMENT_HELLO ->
          new Hello(
              values.fragment(
                  frame.getFragmentHello().hasFragment(), frame.getFragmentHello().getFragment()));
      case INITIATE -> decode(frame.getInitiate());
      case REPORT -> decode(frame.getReport());
      case CHANGE_ROOT -> decode(frame.getChangeRoot());
      case CONNECT -> decode(frame.getConnect());
      case NACK -> new Nack(values.decode(frame.getNack().getId()));
      case CANCEL -> new Cancel(values.decode(frame.getCancel().getId()));
      case DECLINE -> new Decline(values.decode(frame.getDecline().getId()));
      case COMMIT -> decode(frame.getCommit());
      case CUT -> new Cut(values.decode(frame.getCut().getEdge()));
      case FAILURE -> decode(frame.getFailure());
      case WAKE -> new Wake(values.round(frame.getWake().hasRound(), frame.getWake().getRound()));
      case CUT_ORDER -> decode(frame.getCutOrder());
      case REFUSE -> decode(frame.getRefuse());
      default -> throw new IllegalStateException(frame.getBodyCase() + " is not of the tree");
    };
  }

  private Initiate decode(io.treecast.proto.v1.Initiate initiate) throws WireViolation {
    TreeSet<NodeId> suspects = new TreeSet<>();
    for (int number : initiate.getSuspectsList()) {
      suspects.add(values.node(number));
    }
    return new Initiate(
        values.decode(initiate.getEdge()),
        values.round(initiate.hasRound(), initiate.getRound()),
        trees.decodeMembers(initiate.getMembersList()),
        suspects);
  }

  private Report decode(io.treecast.proto.v1.Report report) throws WireViolation {
    OutgoingEdge best = report.hasBest() ? values.decode(report.getBest()) : null;
    return new Report(
        values.round(report.hasRound(), report.getRound()),
        best,
        new EchoCodec(values).decode(report.getEcho()),
        report.getCrossing(),
        report.getListWasWrong(),
        values.decode(report.getHistory()));
  }

  private ChangeRoot decode(io.treecast.proto.v1.ChangeRoot changeRoot) throws WireViolation {
    return new ChangeRoot(
        values.round(changeRoot.hasRound(), changeRoot.getRound()),
        map(changeRoot.getTree(), values.decode(changeRoot.getHistory())),
        changeRoot.getCrossing());
  }

  private Connect decode(io.treecast.proto.v1.Connect connect) throws WireViolation {
    return new Connect(
        values.decode(connect.getId()),
        values.fragment(connect.hasFragment(), connect.getFragment()),
        values.decode(connect.getLink()),
        map(connect.getTree(), values.decode(connect.getHistory())),
        connect.getCrossing());
  }

  private FragmentMap map(FragmentTree tree, ChangeHistory history) throws WireViolation {
    FragmentTreeCodec.Decoded decoded = trees.decode(tree);
    return FragmentMap.of(MemberList.of(decoded.members()), decoded.edges(), history);
  }

  private Commit decode(io.treecast.proto.v1.Commit commit) throws WireViolation {
    FragmentTreeCodec.Decoded decoded = trees.decode(commit.getTree());
    long version = NumberedValues.bounded("version", commit.getVersion());
    NodeId root = values.node(commit.getRoot());
    NodeId fragmentRoot = commit.hasFragmentRoot() ? values.node(commit.getFragmentRoot()) : root;
    Round round = values.round(commit.hasRound(), commit.getRound());
    Set<ChangeCause> causes = NumberedValues.decode(commit.getCausesList());
    CommittedView view =
        sharing.shared(
            round,
            known ->
                known.tree().version() == version
                    && known.tree().root().equals(root)
                    && known.tree().rootIncarnation() == commit.getRootIncarnation()
                    && known.root().equals(fragmentRoot)
                    && known.causes().equals(causes)
                    && known.consistsOf(decoded.edges()),
            () ->
                new CommittedView(
                    round,
                    fragmentRoot,
                    new CommittedTree(version, root, commit.getRootIncarnation(), decoded.edges()),
                    causes));
    if (view.size() != decoded.members().size()
        || !decoded.members().stream().allMatch(view::hasMember)) {
      throw new WireViolation(
          "committed tree of "
              + view.size()
              + " nodes, which differ from the members sent with it");
    }
    return new Commit(values.decode(commit.getEdge()), view, commit.getIsOffer());
  }

  private Failure decode(io.treecast.proto.v1.Failure failure) throws WireViolation {
    Edge edge = new Edge(values.node(failure.getLow()), values.node(failure.getHigh()));
    NodeId suspect =
        failure.getLowSuspected() ? edge.low() : failure.getHighSuspected() ? edge.high() : null;
    return new Failure(
        values.fragment(failure.hasFragment(), failure.getFragment()), edge, suspect);
  }

  private CutOrder decode(io.treecast.proto.v1.CutOrder order) throws WireViolation {
    return new CutOrder(
        values.round(order.hasVersion(), order.getVersion()),
        values.node(order.getLowerEnd()),
        values.decode(order.getLighterLink()));
  }

  private Refuse decode(io.treecast.proto.v1.Refuse refuse) throws WireViolation {
    return new Refuse(
        values.round(refuse.hasVersion(), refuse.getVersion()),
        values.node(refuse.getLowerEnd()),
        values.decode(refuse.getPresent()),
        values.decode(refuse.getLighterLink()));
  }
}
