package io.treecast.agent.wire;

import io.treecast.ghs.GhsMessage;
import io.treecast.ghs.GhsMessage.Accept;
import io.treecast.ghs.GhsMessage.ChangeCore;
import io.treecast.ghs.GhsMessage.Connect;
import io.treecast.ghs.GhsMessage.Initiate;
import io.treecast.ghs.GhsMessage.Phase;
import io.treecast.ghs.GhsMessage.Reject;
import io.treecast.ghs.GhsMessage.Report;
import io.treecast.ghs.GhsMessage.Test;
import io.treecast.ghs.LinkWeight;
import io.treecast.mst.TreeMessage;
import io.treecast.mst.TreeMessage.Commit;
import io.treecast.mst.TreeMessage.Merge;
import io.treecast.proto.v1.ControlFrame;

/** The tree protocol's part of control frames. */
final class TreeCodec {
  /** A fragment of level L has at least 2^L nodes. */
  private static final int MAX_LEVEL = 31;

  private TreeCodec() {}

  static void encode(TreeMessage message, ControlFrame.Builder frame) {
    if (message instanceof Merge merge) {
      merge.message().visit(new MergeEncoder(frame));
    } else if (message instanceof Commit commit) {
      frame.getCommitBuilder().setTree(ValueCodec.encode(commit.tree()));
    }
  }

  static TreeMessage decode(ControlFrame frame) throws WireViolation {
    return switch (frame.getBodyCase()) {
      case CONNECT -> new Merge(new Connect(level(frame.getConnect().getLevel())));
      case INITIATE -> new Merge(decode(frame.getInitiate()));
      case TEST ->
          new Merge(
              new Test(
                  level(frame.getTest().getLevel()),
                  ValueCodec.decode(frame.getTest().getFragment())));
      case ACCEPT -> new Merge(new Accept());
      case REJECT -> new Merge(new Reject());
      case REPORT -> new Merge(decode(frame.getReport()));
      case CHANGE_CORE -> new Merge(new ChangeCore());
      case COMMIT -> new Commit(ValueCodec.decode(frame.getCommit().getTree()));
      default ->
          throw new IllegalArgumentException(frame.getBodyCase() + " is not of the tree protocol");
    };
  }

  private static Initiate decode(io.treecast.proto.v1.Initiate initiate) throws WireViolation {
    Phase phase =
        switch (initiate.getPhase()) {
          case PHASE_FIND -> Phase.FIND;
          case PHASE_FOUND -> Phase.FOUND;
          case PHASE_UNSPECIFIED, UNRECOGNIZED ->
              throw new WireViolation("Initiate without a known phase");
        };
    return new Initiate(
        level(initiate.getLevel()), ValueCodec.decode(initiate.getFragment()), phase);
  }

  private static Report decode(io.treecast.proto.v1.Report report) throws WireViolation {
    LinkWeight minimum =
        report.hasMinimumOutgoingEdge() ? ValueCodec.decode(report.getMinimumOutgoingEdge()) : null;
    return new Report(minimum, ValueCodec.decodeAll(report.getBranchesList()));
  }

  private static int level(int level) throws WireViolation {
    if (level < 0 || level > MAX_LEVEL) {
      throw new WireViolation("level " + level + "; allowed are 0 to " + MAX_LEVEL);
    }
    return level;
  }

  private record MergeEncoder(ControlFrame.Builder frame)
      implements GhsMessage.Visitor<ControlFrame.Builder> {
    @Override
    public ControlFrame.Builder connect(Connect message) {
      frame.getConnectBuilder().setLevel(message.level());
      return frame;
    }

    @Override
    public ControlFrame.Builder initiate(Initiate message) {
      frame
          .getInitiateBuilder()
          .setLevel(message.level())
          .setFragment(ValueCodec.encode(message.fragment()))
          .setPhase(
              message.phase() == Phase.FIND
                  ? io.treecast.proto.v1.Initiate.Phase.PHASE_FIND
                  : io.treecast.proto.v1.Initiate.Phase.PHASE_FOUND);
      return frame;
    }

    @Override
    public ControlFrame.Builder test(Test message) {
      frame
          .getTestBuilder()
          .setLevel(message.level())
          .setFragment(ValueCodec.encode(message.fragment()));
      return frame;
    }

    @Override
    public ControlFrame.Builder accept(Accept message) {
      frame.getAcceptBuilder();
      return frame;
    }

    @Override
    public ControlFrame.Builder reject(Reject message) {
      frame.getRejectBuilder();
      return frame;
    }

    @Override
    public ControlFrame.Builder report(Report message) {
      var report = frame.getReportBuilder();
      if (message.minimumOutgoingEdge() != null) {
        report.setMinimumOutgoingEdge(ValueCodec.encode(message.minimumOutgoingEdge()));
      }
      message.branches().forEach(branch -> report.addBranches(ValueCodec.encode(branch)));
      return frame;
    }

    @Override
    public ControlFrame.Builder changeCore(ChangeCore message) {
      frame.getChangeCoreBuilder();
      return frame;
    }
  }
}
