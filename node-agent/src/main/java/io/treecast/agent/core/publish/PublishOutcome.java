package io.treecast.agent.core.publish;

import io.treecast.collectives.broadcast.contract.BroadcastRefusedException;
import io.treecast.collectives.broadcast.message.MessageId;

/** Receives the outcome of a local application's broadcast, once. Must not call back. */
public interface PublishOutcome {
  /**
   * Reports that it is on its way along the tree of this version. If it wants replicas, the report
   * comes when as many members have it, or the time is over.
   *
   * @param replicas how many members, this one aside, have all of it; 0 if none are wanted, and for
   *     an upload, which has only begun
   */
  void accepted(MessageId messageId, long treeVersion, int replicas);

  /** Returns whether the caller still waits for it; an unwanted broadcast is refused. */
  default boolean isWanted() {
    return true;
  }

  /** Reports that it was not sent. */
  void refused(BroadcastRefusedException.Reason reason, String text);
}
