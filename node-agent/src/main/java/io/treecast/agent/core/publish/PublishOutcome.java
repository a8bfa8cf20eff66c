package io.treecast.agent.core.publish;

import io.treecast.collectives.broadcast.contract.BroadcastRefusedException;
import io.treecast.collectives.broadcast.message.MessageId;

/**
 * Receives the outcome of a local application's broadcast, once. Implementations must not call the
 * agent.
 */
public interface PublishOutcome {
  /**
   * Reports that the broadcast was accepted and sent along the tree of this version. With replicas,
   * the report comes when enough members have the broadcast, or at the deadline.
   *
   * @param replicas the number of other members that have all of it; 0 if no replicas are wanted,
   *     and for an upload, which has only begun
   */
  void accepted(MessageId messageId, long treeVersion, int replicas);

  /** Returns whether the caller still waits for the outcome. Otherwise the broadcast is refused. */
  default boolean isWanted() {
    return true;
  }

  /** Reports that the broadcast was not sent. */
  void refused(BroadcastRefusedException.Reason reason, String text);
}
