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
import io.treecast.ghs.Round;
import io.treecast.mst.CommittedView;
import io.treecast.mst.MstMessage.Commit;
import io.treecast.mst.MstMessage.Cut;
import io.treecast.mst.MstMessage.CutOrder;
import io.treecast.mst.MstMessage.Failure;
import io.treecast.mst.MstMessage.Refuse;
import io.treecast.mst.TreeMessageVisitor;
import io.treecast.proto.v1.ControlFrame;
import io.treecast.proto.v1.FragmentTree;
import java.util.Objects;
import java.util.function.Consumer;

/** Encodes one tree message into a frame whose table contains all mentioned nodes. */
final class TreeEncoder implements TreeMessageVisitor<RuntimeException> {
  private final ControlFrame.Builder frame;
  private final NumberedValues values;
  private final FragmentTreeCodec trees;
  private final boolean keepsTree;

  /**
   * Creates an encoder for one message.
   *
   * @param keepsTree whether a committed tree in the message becomes a base of later messages
   */
  TreeEncoder(ControlFrame.Builder frame, NodeTable table, boolean keepsTree) {
    this.frame = frame;
    this.values = new NumberedValues(table);
    this.trees = new FragmentTreeCodec(table);
    this.keepsTree = keepsTree;
  }

  private io.treecast.proto.v1.ConnectId id(ConnectId id) {
    return values.encode(id);
  }

  private FragmentTree tree(FragmentMap map) {
    return trees.encode(map.members(), map.edges());
  }

  /** Encodes the fragment, unless it is that of the base. */
  private void put(FragmentId fragment, Consumer<io.treecast.proto.v1.FragmentId> field) {
    io.treecast.proto.v1.FragmentId encoded = values.encode(fragment);
    if (encoded != null) {
      field.accept(encoded);
    }
  }

  /** Encodes the round, unless it is that of the base. */
  private void put(Round round, Consumer<io.treecast.proto.v1.Round> field) {
    io.treecast.proto.v1.Round encoded = values.encode(round);
    if (encoded != null) {
      field.accept(encoded);
    }
  }

  @Override
  public void hello(Hello message) {
    put(message.fragment(), frame.getFragmentHelloBuilder()::setFragment);
  }

  @Override
  public void initiate(Initiate message) {
    var initiate = frame.getInitiateBuilder().setEdge(id(message.edge()));
    put(message.round(), initiate::setRound);
    initiate.addAllMembers(trees.encodeMembers(message.members()));
    message.suspects().forEach(suspect -> initiate.addSuspects(values.number(suspect)));
  }

  @Override
  public void report(Report message) {
    var report =
        frame
            .getReportBuilder()
            .setEcho(new EchoCodec(values).encode(message.echo()))
            .setCrossing(message.crossing())
            .setListWasWrong(message.listWasWrong())
            .setHistory(values.encode(message.history()));
    put(message.round(), report::setRound);
    OutgoingEdge best = message.best();
    if (best != null) {
      report.setBest(values.encode(best));
    }
  }

  @Override
  public void changeRoot(ChangeRoot message) {
    var changeRoot =
        frame
            .getChangeRootBuilder()
            .setTree(tree(message.map()))
            .setHistory(values.encode(message.map().history()))
            .setCrossing(message.crossing());
    put(message.round(), changeRoot::setRound);
  }

  @Override
  public void connect(Connect message) {
    var connect =
        frame
            .getConnectBuilder()
            .setId(id(message.id()))
            .setLink(values.encode(message.weight()))
            .setTree(tree(message.map()))
            .setHistory(values.encode(message.map().history()))
            .setCrossing(message.crossing());
    put(message.fragment(), connect::setFragment);
  }

  @Override
  public void nack(Nack message) {
    frame.getNackBuilder().setId(id(message.id()));
  }

  @Override
  public void cancel(Cancel message) {
    frame.getCancelBuilder().setId(id(message.id()));
  }

  @Override
  public void decline(Decline message) {
    frame.getDeclineBuilder().setId(id(message.id()));
  }

  @Override
  public void commit(Commit message) {
    CommittedView view = message.view();
    var commit =
        frame
            .getCommitBuilder()
            .setEdge(id(message.edge()))
            .setVersion(view.tree().version())
            .setRoot(values.number(view.tree().root()))
            .setRootIncarnation(view.tree().rootIncarnation())
            .setTree(trees.encode(view.members(), view.tree().edges()))
            .addAllCauses(NumberedValues.encode(view.causes()))
            .setIsOffer(message.isOffer())
            .setIsNotKept(!keepsTree);
    if (!view.root().equals(view.tree().root())) {
      commit.setFragmentRoot(values.number(view.root()));
    }
    put(view.round(), commit::setRound);
  }

  @Override
  public void cut(Cut message) {
    frame.getCutBuilder().setEdge(id(message.edge()));
  }

  @Override
  public void failure(Failure message) {
    var failure =
        frame
            .getFailureBuilder()
            .setLow(values.number(message.edge().low()))
            .setHigh(values.number(message.edge().high()))
            .setLowSuspected(Objects.equals(message.suspect(), message.edge().low()))
            .setHighSuspected(Objects.equals(message.suspect(), message.edge().high()));
    put(message.fragment(), failure::setFragment);
  }

  @Override
  public void wake(Wake message) {
    put(message.round(), frame.getWakeBuilder()::setRound);
  }

  @Override
  public void cutOrder(CutOrder message) {
    var order =
        frame
            .getCutOrderBuilder()
            .setLowerEnd(values.number(message.lowerEnd()))
            .setLighterLink(values.encode(message.lighterLink()));
    put(message.version(), order::setVersion);
  }

  @Override
  public void refuse(Refuse message) {
    var refuse =
        frame
            .getRefuseBuilder()
            .setLowerEnd(values.number(message.lowerEnd()))
            .setPresent(values.encode(message.present()))
            .setLighterLink(values.encode(message.lighterLink()));
    put(message.version(), refuse::setVersion);
  }
}
