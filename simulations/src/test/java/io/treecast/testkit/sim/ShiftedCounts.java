package io.treecast.testkit.sim;

import io.treecast.agent.core.PeerMessage;
import io.treecast.agent.core.PeerMessage.PassToken;
import io.treecast.agent.core.PeerMessage.Tree;
import io.treecast.mst.CommittedTree;
import io.treecast.mst.CommittedView;
import io.treecast.mst.FragmentId;
import io.treecast.mst.FragmentMap;
import io.treecast.mst.History;
import io.treecast.mst.Rank;
import io.treecast.mst.RankedMessage;
import io.treecast.mst.RankedMessage.Cancel;
import io.treecast.mst.RankedMessage.ChangeRoot;
import io.treecast.mst.RankedMessage.Commit;
import io.treecast.mst.RankedMessage.Connect;
import io.treecast.mst.RankedMessage.Cut;
import io.treecast.mst.RankedMessage.CutOrder;
import io.treecast.mst.RankedMessage.Decline;
import io.treecast.mst.RankedMessage.Failure;
import io.treecast.mst.RankedMessage.Hello;
import io.treecast.mst.RankedMessage.Initiate;
import io.treecast.mst.RankedMessage.Nack;
import io.treecast.mst.RankedMessage.Refuse;
import io.treecast.mst.RankedMessage.Report;
import io.treecast.mst.RankedMessage.Wake;
import io.treecast.mst.Round;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * An agent that claims to have counted so much further than it has: epochs, versions of trees, and
 * generations of tokens. It takes what others say likewise, so it goes on like a correct agent that
 * has lived for very long.
 */
record ShiftedCounts(long epochs, long versions, long generations) {
  /** What a frame may carry at most. */
  static final long MAX_COUNT = 1L << 60;

  SimNetwork.Distortion distortion() {
    ShiftedCounts back = new ShiftedCounts(-epochs, -versions, -generations);
    return new SimNetwork.Distortion() {
      @Override
      public PeerMessage said(PeerMessage message) {
        return shifted(message);
      }

      @Override
      public PeerMessage heard(PeerMessage message) {
        return back.shifted(message);
      }
    };
  }

  private PeerMessage shifted(PeerMessage message) {
    if (message instanceof Tree tree) {
      Shift shift = new Shift();
      tree.message().visit(shift);
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

  /** Above the most there is nothing to claim; what is below the least, somebody else counted. */
  private static long shifted(long count, long by, long least, long most) {
    long room = most - Math.max(by, 0);
    return Math.max(least, Math.min(count, room) + by);
  }

  private History shifted(History history) {
    return new History(shifted(history.version(), versions, 0, MAX_COUNT), history.causes());
  }

  private FragmentMap shifted(FragmentMap map) {
    return FragmentMap.of(map.members(), map.edges(), shifted(map.history()));
  }

  private CommittedView shifted(CommittedView view) {
    CommittedTree tree = view.tree();
    long version = shifted(tree.version(), versions, 1, MAX_COUNT);
    return new CommittedView(
        shifted(view.round()),
        new CommittedTree(version, tree.root(), tree.rootIncarnation(), tree.edges()),
        view.causes());
  }

  private final class Shift implements RankedMessage.Visitor<RuntimeException> {
    private @Nullable RankedMessage shifted;

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
