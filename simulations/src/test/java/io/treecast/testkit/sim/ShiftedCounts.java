package io.treecast.testkit.sim;

import io.treecast.agent.core.message.PeerMessage;
import io.treecast.agent.core.message.PeerMessage.PassToken;
import io.treecast.agent.core.message.PeerMessage.Tree;
import io.treecast.ghs.FragmentId;
import io.treecast.ghs.FragmentMap;
import io.treecast.ghs.GhsMessage.Cancel;
import io.treecast.ghs.GhsMessage.ChangeRoot;
import io.treecast.ghs.GhsMessage.Connect;
import io.treecast.ghs.GhsMessage.Decline;
import io.treecast.ghs.GhsMessage.Hello;
import io.treecast.ghs.GhsMessage.Initiate;
import io.treecast.ghs.GhsMessage.Nack;
import io.treecast.ghs.GhsMessage.Report;
import io.treecast.ghs.GhsMessage.Wake;
import io.treecast.ghs.History;
import io.treecast.ghs.Rank;
import io.treecast.ghs.Round;
import io.treecast.ghs.TreeMessage;
import io.treecast.mst.ChangeHistory;
import io.treecast.mst.CommittedTree;
import io.treecast.mst.CommittedView;
import io.treecast.mst.MstMessage.Commit;
import io.treecast.mst.MstMessage.Cut;
import io.treecast.mst.MstMessage.CutOrder;
import io.treecast.mst.MstMessage.Failure;
import io.treecast.mst.MstMessage.Refuse;
import io.treecast.mst.TreeMessageVisitor;
import io.treecast.mst.TreeName;
import io.treecast.testkit.sim.network.SimNetwork;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * An agent with falsely high counts of epochs, tree versions, and generations of tokens. It shifts
 * the numbers of others in the same way, so it behaves like a correct agent that has run for very
 * long.
 */
record ShiftedCounts(long epochs, long versions, long generations) {
  /** The largest number that a frame may carry. */
  static final long MAX_COUNT = 1L << 60;

  SimNetwork.Distortion distortion() {
    ShiftedCounts back = new ShiftedCounts(-epochs, -versions, -generations);
    return new SimNetwork.Distortion() {
      @Override
      public PeerMessage sent(PeerMessage message) {
        return shifted(message);
      }

      @Override
      public PeerMessage received(PeerMessage message) {
        return back.shifted(message);
      }
    };
  }

  private PeerMessage shifted(PeerMessage message) {
    if (message instanceof Tree tree) {
      Shift shift = new Shift();
      TreeMessageVisitor.visit(tree.message(), shift);
      return new Tree(Objects.requireNonNull(shift.shifted), tree.metric());
    }
    if (message instanceof PassToken pass) {
      return new PassToken(
          shifted(pass.generation(), generations, 1, Long.MAX_VALUE), pass.founder());
    }
    return message;
  }

  private FragmentId shifted(FragmentId fragment) {
    long epoch = fragment.rank().epoch() + epochs;
    Rank rank =
        epoch < 0 ? Rank.LOWEST : new Rank(Math.min(epoch, MAX_COUNT), fragment.rank().level());
    return new FragmentId(rank, fragment.founder(), fragment.incarnation(), fragment.number());
  }

  private Round shifted(Round round) {
    return new Round(shifted(round.fragment()), round.number());
  }

  /**
   * Returns a shifted number, between the least and the largest one. Numbers below the least were
   * counted by others.
   */
  private static long shifted(long count, long by, long least, long most) {
    long room = most - Math.max(by, 0);
    return Math.max(least, Math.min(count, room) + by);
  }

  private ChangeHistory shifted(History history) {
    ChangeHistory content = ChangeHistory.of(history);
    long version = shifted(content.version(), versions, 0, MAX_COUNT);
    TreeName common = content.common();
    return new ChangeHistory(
        version,
        common == null ? null : new TreeName(version, common.root(), common.rootIncarnation()),
        content.causes());
  }

  private FragmentMap shifted(FragmentMap map) {
    return FragmentMap.of(map.members(), map.edges(), shifted(map.history()));
  }

  private CommittedView shifted(CommittedView view) {
    CommittedTree tree = view.tree();
    long version = shifted(tree.version(), versions, 1, MAX_COUNT);
    return new CommittedView(
        shifted(view.round()),
        view.root(),
        new CommittedTree(version, tree.root(), tree.rootIncarnation(), tree.edges()),
        view.causes());
  }

  private final class Shift implements TreeMessageVisitor<RuntimeException> {
    private @Nullable TreeMessage shifted;

    @Override
    public void hello(Hello message) {
      shifted = new Hello(shifted(message.fragment()));
    }

    @Override
    public void initiate(Initiate message) {
      shifted =
          new Initiate(
              message.edge(), shifted(message.round()), message.members(), message.suspects());
    }

    @Override
    public void report(Report message) {
      shifted =
          new Report(
              shifted(message.round()),
              message.best(),
              message.echo(),
              message.crossing(),
              message.listWasWrong(),
              shifted(message.history()));
    }

    @Override
    public void changeRoot(ChangeRoot message) {
      shifted =
          new ChangeRoot(shifted(message.round()), shifted(message.map()), message.crossing());
    }

    @Override
    public void connect(Connect message) {
      shifted =
          new Connect(
              message.id(),
              shifted(message.fragment()),
              message.weight(),
              shifted(message.map()),
              message.crossing());
    }

    @Override
    public void nack(Nack message) {
      shifted = message;
    }

    @Override
    public void cancel(Cancel message) {
      shifted = message;
    }

    @Override
    public void decline(Decline message) {
      shifted = message;
    }

    @Override
    public void commit(Commit message) {
      shifted = new Commit(message.edge(), shifted(message.view()), message.isOffer());
    }

    @Override
    public void cut(Cut message) {
      shifted = message;
    }

    @Override
    public void failure(Failure message) {
      shifted = new Failure(shifted(message.fragment()), message.edge(), message.suspect());
    }

    @Override
    public void wake(Wake message) {
      shifted = new Wake(shifted(message.round()));
    }

    @Override
    public void cutOrder(CutOrder message) {
      shifted = new CutOrder(shifted(message.version()), message.lowerEnd(), message.lighterLink());
    }

    @Override
    public void refuse(Refuse message) {
      shifted =
          new Refuse(
              shifted(message.version()),
              message.lowerEnd(),
              message.present(),
              message.lighterLink());
    }
  }
}
