package io.treecast.agent.core.publish;

import io.treecast.collectives.broadcast.contract.BroadcastRefusedException;
import io.treecast.collectives.broadcast.message.MessageId;

/** Told once what became of a broadcast that a local application asked for. Must not call back. */
public interface PublishOutcome {
  /**
   * It is on its way along the tree of this version. If it wants replicas, that is told when as
   * many members have it, or the time is over.
   *
   * @param replicas how many members, this one aside, have all of it; 0 if none are wanted, and of
   *     an upload, which has only begun
   */
  void accepted(MessageId messageId, long treeVersion, int replicas);

  /** Whether anybody waits for it still; a broadcast that nobody waits for is refused. */
  default boolean isWanted() {
    return true;
  }

  /** It was not sent. */
  void refused(BroadcastRefusedException.Reason reason, String text);
}
