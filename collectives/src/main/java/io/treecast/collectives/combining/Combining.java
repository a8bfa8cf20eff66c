package io.treecast.collectives.combining;

import io.treecast.ghs.NodeId;
import io.treecast.mst.CommittedTree;

/** One node's part in collective operations. Single-threaded; time comes in by calls only. */
public final class Combining {
  /**
   * A node without tree and neighbours.
   *
   * @param self this node
   */
  public Combining(NodeId self, CombiningLimits limits, CombiningEffects effects) {}

  /** This node has committed a tree. */
  public void treeCommitted(CommittedTree committed, long nowNanos) {}

  /** The data stream to a neighbour is up: what was said on an earlier one may be lost. */
  public void opened(NodeId neighbour, long nowNanos) {}

  /** The data stream to a neighbour is down. No effect if it was not up. */
  public void closed(NodeId neighbour) {}

  /** A neighbour sent this. */
  public void received(NodeId neighbour, CombiningMessage message, long nowNanos) {}

  /**
   * An application of this node takes part in an operation. Its outcome is told by {@link
   * CombiningEffects#ended}, at the latest when the time is over.
   *
   * @param call the driver's name for it, not in use
   * @param token names the call wherever it is repeated: with the same token it is the same call;
   *     at most 100 characters
   * @param contribution of a reduce, a vector as its reduction needs; of a gather, the {@link
   *     Value.Parts part} of this node; of the hub of a scatter, all parts; otherwise {@link
   *     Value#NOTHING}
   * @throws IllegalArgumentException if the contribution is of another kind
   */
  public void takePart(
      long call,
      String token,
      Operation operation,
      Value contribution,
      long deadlineNanos,
      long nowNanos) {}

  /**
   * Nobody waits for the outcome of a call any more. What it gave counts still. No effect if there
   * is none of that name.
   */
  public void withdraw(long call) {}

  /** When {@link #tick} is due, unless something happens before; MAX_VALUE for never. */
  public long nextDeadlineNanos() {
    return Long.MAX_VALUE;
  }

  /** Time has passed. */
  public void tick(long nowNanos) {}

  /** What was done so far, and what is kept now. */
  public CombiningCounters counters() {
    return new CombiningCounters(0, 0, 0, 0, 0);
  }
}
