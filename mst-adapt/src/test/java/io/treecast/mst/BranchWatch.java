package io.treecast.mst;

import io.treecast.ghs.ConnectId;
import io.treecast.ghs.GhsMessage;
import io.treecast.ghs.NodeId;
import io.treecast.ghs.TreeMessage;
import java.util.HashSet;
import java.util.Objects;
import java.util.Set;

/**
 * Notices from the messages that nodes send, and from lost ones, that a rare branch was reached.
 */
final class BranchWatch {
  private final Coverage coverage;
  private final Set<ConnectId> cancelled = new HashSet<>();
  private final Set<NodeId> suspects = new HashSet<>();

  BranchWatch(Coverage coverage) {
    this.coverage = coverage;
  }

  void crashedWithinARepair() {
    coverage.reached(RareBranch.CRASH_WITHIN_A_REPAIR);
  }

  void restartedWithinARepair() {
    coverage.reached(RareBranch.RESTART_WITHIN_A_REPAIR);
  }

  /** A packet was lost with its session or its receiver. */
  void lost(Packet packet) {
    if (packet.content() instanceof Packet.Protocol protocol) {
      TreeMessage message = protocol.message();
      if (message instanceof GhsMessage.ChangeRoot) {
        coverage.reached(RareBranch.ROOT_LOST_WHILE_IT_MOVES);
      } else if (message instanceof GhsMessage.Connect) {
        coverage.reached(RareBranch.SESSION_LOST_WITH_A_CONNECT);
      } else if (message instanceof GhsMessage.Initiate) {
        coverage.reached(RareBranch.SESSION_LOST_WITH_AN_OFFER);
      }
    }
  }

  void sent(AdaptiveTree sender, TreeMessage message, AdaptiveTree receiver) {
    coverage.sent(message);
    if (message instanceof GhsMessage.Initiate initiate) {
      suspects.addAll(initiate.suspects());
    } else if (message instanceof MstMessage.Commit) {
      suspects.clear();
    } else if (message instanceof GhsMessage.Connect && suspects.contains(sender.self())) {
      coverage.reached(RareBranch.SUSPECT_ASKS_TO_JOIN);
    }
    if (message instanceof GhsMessage.Decline) {
      coverage.reached(RareBranch.OFFER_DECLINED);
    } else if (message instanceof GhsMessage.Cancel cancel) {
      cancelled.add(cancel.id());
      coverage.reached(RareBranch.CONNECT_CANCELLED);
    } else if (message instanceof GhsMessage.Nack nack && cancelled.contains(nack.id())) {
      coverage.reached(RareBranch.CANCELLED_CONNECT_REFUSED);
    } else if (message instanceof GhsMessage.Connect
        && Objects.equals(receiver.connectingTo(), sender.self())
        && !receiver.rank().equals(sender.rank())) {
      coverage.reached(RareBranch.CONNECTS_OF_UNEQUAL_RANK_CROSS);
    } else if (message instanceof MstMessage.Refuse) {
      coverage.reached(RareBranch.CUT_ORDER_REFUSED);
    } else if (message instanceof MstMessage.Commit commit && commit.isOffer()) {
      coverage.reached(RareBranch.MERGE_COMMITS_AT_ONCE);
    } else if (message instanceof MstMessage.Cut
        && Objects.equals(receiver.parent(), sender.self())) {
      coverage.reached(RareBranch.PARENT_CUTS_ITS_CHILD);
    } else if (message instanceof GhsMessage.Report report && report.listWasWrong()) {
      coverage.reached(RareBranch.OUTDATED_LIST_FOUND);
    }
  }
}
