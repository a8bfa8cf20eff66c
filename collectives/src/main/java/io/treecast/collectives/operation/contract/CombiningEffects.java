package io.treecast.collectives.operation.contract;

import io.treecast.collectives.group.GroupView;
import io.treecast.collectives.operation.Combining;
import io.treecast.ghs.NodeId;

/**
 * The commands of {@link Combining} to its driver. They are called on its thread, inside the event
 * that causes them, and must not call it back.
 */
public interface CombiningEffects {
  /** Sends on the open data stream to a neighbour, behind everything sent on it before. */
  void send(NodeId neighbour, CombiningMessage message);

  /**
   * Reports that a call has ended, perhaps within {@link Combining#takePart}; once for each call,
   * unless it is {@linkplain Combining#withdraw withdrawn}.
   */
  void ended(long call, Outcome outcome);

  /**
   * Reports that a neighbour broke the protocol. The driver closes the link.
   *
   * @param reason explanation for people
   */
  void violated(NodeId neighbour, String reason);

  /** Returns whether this member will call no more operations of a view, because it is outdated. */
  default boolean isOver(GroupView.Id view) {
    return false;
  }
}
