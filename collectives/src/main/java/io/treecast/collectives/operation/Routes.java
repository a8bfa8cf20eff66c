package io.treecast.collectives.operation;

import io.treecast.collectives.broadcast.tree.TreeEpoch;
import io.treecast.collectives.operation.contract.Operation;
import io.treecast.ghs.NodeId;
import io.treecast.mst.CommittedTree;
import java.util.List;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * The routes of operations over the members of the committed tree: along the tree, or along the
 * chain of all members where that is faster for segments of large vectors.
 *
 * <p>All members must take the same route. A member that cannot use the chain any more leaves it
 * until the next tree, and its messages then have a later epoch. Each member that receives one also
 * leaves the chain. A member that is not on the way along the tree sends no messages of its own, so
 * it reports to each neighbour that still sends along the chain.
 */
final class Routes {
  private final NodeId self;
  private @Nullable Branches tree;
  private @Nullable Branches chain;
  private @Nullable Branches afterChain;
  private boolean isChainLeft;

  Routes(NodeId self) {
    this.self = self;
  }

  void follow(CommittedTree committed) {
    Branches branches = new Branches(self, committed);
    tree = branches;
    chain = null;
    afterChain = branches.afterChain();
    isChainLeft = false;
  }

  /** Returns whether operations may begin on the chain. */
  boolean hasChain() {
    return chain != null;
  }

  /** Returns the branches of an operation; null before the first tree. */
  @Nullable Branches of(Operation operation) {
    Branches committed = tree;
    if (committed == null || operation.chainVersion() == 0) {
      return committed;
    }
    if (operation.chainVersion() != committed.epoch().treeVersion()) {
      return afterChain;
    }
    isChainLeft |= chain == null; // A member never returns to an earlier epoch.
    return chain == null ? afterChain : chain;
  }

  /**
   * Uses the chain of the members in this order, or no chain.
   *
   * @return whether the chain was left
   */
  boolean use(@Nullable List<NodeId> order) {
    Branches committed = tree;
    if (order == null) {
      boolean wasUsed = chain != null;
      chain = null;
      isChainLeft |= wasUsed;
      return wasUsed;
    }
    boolean isOfTree = committed != null && committed.members().equals(new TreeSet<>(order));
    if (committed != null && isOfTree && chain == null && !isChainLeft) {
      chain = committed.chain(order);
    }
    return false;
  }

  /**
   * Returns the epoch after the chain if a neighbour still sends along a chain that this member
   * does not use; otherwise null.
   *
   * @param epoch epoch of the neighbour's message
   */
  @Nullable TreeEpoch chainLeftBefore(Operation operation, TreeEpoch epoch) {
    Branches route = of(operation);
    boolean isOnChain = operation.chainVersion() == epoch.treeVersion() && !epoch.isAfterChain();
    return isOnChain && route != null && route.epoch().equals(epoch.afterChain())
        ? route.epoch()
        : null;
  }

  /**
   * Leaves the chain if a neighbour has, as its epoch shows; returns whether this member does so
   * now.
   */
  boolean leaveChain(TreeEpoch epoch) {
    Branches committed = tree;
    return epoch.isAfterChain()
        && committed != null
        && epoch.equals(committed.epoch().afterChain())
        && use(null);
  }
}
