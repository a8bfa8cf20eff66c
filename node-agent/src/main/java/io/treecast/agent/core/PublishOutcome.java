package io.treecast.agent.core;

import io.treecast.collectives.BroadcastRefusedException;
import io.treecast.collectives.MessageId;

/** Told once what became of a broadcast that a local application asked for. Must not call back. */
public interface PublishOutcome {
  /** It is on its way along the tree of this version. */
  void accepted(MessageId messageId, long treeVersion);

  /** Whether anybody waits for it still; a broadcast that nobody waits for is refused. */
  default boolean isWanted() {
    return true;
  }

  /** It was not sent. */
  void refused(BroadcastRefusedException.Reason reason, String text);
}
