package io.treecast.agent.core.message;

import io.treecast.agent.core.message.PeerMessage.OpenLink;
import io.treecast.agent.core.message.PeerMessage.PassToken;
import io.treecast.agent.core.message.PeerMessage.RingOffer;
import io.treecast.agent.core.message.PeerMessage.RingVerdict;
import io.treecast.agent.core.message.PeerMessage.ShortcutCopy;
import io.treecast.agent.core.message.PeerMessage.Tree;
import io.treecast.collectives.broadcast.message.EdgeMessage;
import io.treecast.collectives.broadcast.message.Gap;
import io.treecast.collectives.broadcast.message.OrderEntry;
import io.treecast.collectives.broadcast.tree.TreeEpoch;
import io.treecast.collectives.operation.contract.CombiningMessage;
import io.treecast.collectives.operation.contract.CombiningMessage.Answer;
import io.treecast.collectives.operation.contract.CombiningMessage.ChainLeft;
import io.treecast.collectives.operation.contract.CombiningMessage.Contribution;
import io.treecast.collectives.operation.contract.CombiningMessage.Missing;
import io.treecast.collectives.operation.contract.CombiningMessage.Question;
import io.treecast.collectives.operation.contract.Outcome;
import io.treecast.collectives.values.ValuesMessage;
import io.treecast.ghs.FragmentId;
import io.treecast.ghs.GhsMessage.Cancel;
import io.treecast.ghs.GhsMessage.ChangeRoot;
import io.treecast.ghs.GhsMessage.Connect;
import io.treecast.ghs.GhsMessage.Decline;
import io.treecast.ghs.GhsMessage.Hello;
import io.treecast.ghs.GhsMessage.Initiate;
import io.treecast.ghs.GhsMessage.Nack;
import io.treecast.ghs.GhsMessage.Report;
import io.treecast.ghs.GhsMessage.Wake;
import io.treecast.mst.ChangeHistory;
import io.treecast.mst.CommittedView;
import io.treecast.mst.MstMessage.Commit;
import io.treecast.mst.MstMessage.Cut;
import io.treecast.mst.MstMessage.CutOrder;
import io.treecast.mst.MstMessage.Failure;
import io.treecast.mst.MstMessage.Refuse;
import io.treecast.mst.TreeMessageVisitor;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Finds the highest count in a message. Counts are numbers that agents adopt from each other and
 * continue from: epochs of fragments, versions of trees, sessions of links, generations of tokens,
 * counts of shared values. Other numbers are only compared for equality, or lose their meaning with
 * the end of the stream.
 *
 * <p>One instance for each message.
 */
final class ClaimedCounts implements TreeMessageVisitor<RuntimeException> {
  /**
   * A count that a message claims.
   *
   * @param what the name of the count
   */
  record Claim(String what, long count) {}

  private Claim highest = new Claim("count", 0);

  private ClaimedCounts() {}

  /** Returns the highest count in a message on a control stream; 0 if it has none. */
  static Claim highestOf(PeerMessage message) {
    ClaimedCounts counts = new ClaimedCounts();
    if (message instanceof Tree tree) {
      TreeMessageVisitor.visit(tree.message(), counts);
    } else if (message instanceof OpenLink open) {
      counts.add("session", open.session());
    } else if (message instanceof PassToken pass) {
      counts.add("token generation", pass.generation());
    } else if (message instanceof RingOffer offer) {
      counts.version(offer.treeVersion());
    } else if (message instanceof RingVerdict verdict) {
      counts.version(verdict.treeVersion());
    } else if (message instanceof ShortcutCopy shortcut) {
      counts.version(shortcut.message().treeVersion());
    }
    return counts.highest;
  }

  /** Returns the highest count in a message on a data stream; 0 if it has none. */
  static Claim highestOf(DataMessage message) {
    ClaimedCounts counts = new ClaimedCounts();
    if (message instanceof DataMessage.Edge edge) {
      counts.add(edge.message());
    } else if (message instanceof DataMessage.Collective collective) {
      counts.add(collective.message());
    } else if (message instanceof DataMessage.TimeOfRoot timeOfRoot) {
      counts.add(timeOfRoot.time().epoch());
    } else if (message instanceof DataMessage.SharedValue value
        && value.message() instanceof ValuesMessage.Update update) {
      counts.add("count of values", update.highestCount());
    }
    return counts.highest;
  }

  private void add(EdgeMessage message) {
    if (message instanceof EdgeMessage.Data data) {
      version(data.item().treeVersion());
    } else if (message instanceof EdgeMessage.Have have) {
      version(have.treeVersion());
    } else if (message instanceof EdgeMessage.Stable stable) {
      version(stable.treeVersion());
    } else if (message instanceof EdgeMessage.Interest interest) {
      version(interest.treeVersion());
    } else if (message instanceof EdgeMessage.InterestKnown known) {
      known.forgotten().stream().mapToLong(Gap::treeVersion).forEach(this::version);
    } else if (message instanceof EdgeMessage.OrderTail tail) {
      version(tail.treeVersion());
      tail.epochs().forEach(this::add);
      addAll(tail.entries());
    } else if (message instanceof EdgeMessage.OrderNext next) {
      version(next.treeVersion());
      addAll(next.entries());
    }
  }

  private void addAll(List<OrderEntry> entries) {
    for (OrderEntry entry : entries) {
      add("order epoch", entry.position().epoch());
    }
  }

  private void add(CombiningMessage message) {
    if (message instanceof Contribution contribution) {
      add(contribution.epoch());
      add(contribution.outcome());
    } else if (message instanceof Question question) {
      add(question.epoch());
    } else if (message instanceof Missing missing) {
      add(missing.epoch());
    } else if (message instanceof ChainLeft left) {
      add(left.epoch());
    } else if (message instanceof Answer answer) {
      add(answer.outcome());
    }
  }

  private void add(@Nullable Outcome outcome) {
    if (outcome instanceof Outcome.Completed completed) {
      version(completed.treeVersion());
      Outcome.Choice choice = completed.choice();
      if (choice != null) {
        version(choice.treeVersion());
      }
    }
  }

  private void add(TreeEpoch epoch) {
    version(epoch.treeVersion());
  }

  private void version(long version) {
    add("tree version", version);
  }

  private void add(FragmentId fragment) {
    add("epoch", fragment.rank().epoch());
  }

  private void add(String what, long count) {
    if (count > highest.count) {
      highest = new Claim(what, count);
    }
  }

  @Override
  public void hello(Hello message) {
    add(message.fragment());
  }

  @Override
  public void initiate(Initiate message) {
    add(message.round().fragment());
  }

  @Override
  public void report(Report message) {
    add(message.round().fragment());
    version(ChangeHistory.of(message.history()).version());
  }

  @Override
  public void changeRoot(ChangeRoot message) {
    add(message.round().fragment());
    version(ChangeHistory.of(message.map().history()).version());
  }

  @Override
  public void connect(Connect message) {
    add(message.fragment());
    version(ChangeHistory.of(message.map().history()).version());
  }

  @Override
  public void nack(Nack message) {
    // It has the id of a Connect, which is not a count.
  }

  @Override
  public void cancel(Cancel message) {
    // It has the id of a Connect, which is not a count.
  }

  @Override
  public void decline(Decline message) {
    // It has the id of a Connect, which is not a count.
  }

  @Override
  public void commit(Commit message) {
    CommittedView view = message.view();
    add(view.round().fragment());
    version(view.tree().version());
  }

  @Override
  public void cut(Cut message) {
    // It has the id of a Connect, which is not a count.
  }

  @Override
  public void failure(Failure message) {
    add(message.fragment());
  }

  @Override
  public void wake(Wake message) {
    add(message.round().fragment());
  }

  @Override
  public void cutOrder(CutOrder message) {
    add(message.version().fragment());
  }

  @Override
  public void refuse(Refuse message) {
    add(message.version().fragment());
  }
}
