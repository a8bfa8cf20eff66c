package io.treecast.collectives.claim;

import io.treecast.ghs.NodeId;

/**
 * The commands of {@link Claims} to its driver, with its reports. They are called on its thread,
 * inside the event that causes them, and must not call it back.
 */
public interface ClaimEffects extends ClaimEvents {
  /** Sends to another member. The message may be lost. */
  void send(NodeId member, ClaimMessage message);
}
