package io.treecast.collectives.claim;

import io.treecast.ghs.NodeId;

/**
 * The commands of {@link Claims} to its driver. They are called on its thread, inside the event
 * that causes them, and must not call it back.
 */
public interface ClaimEffects {
  /** Sends to another member. The message may be lost. */
  void send(NodeId member, ClaimMessage message);

  /**
   * Stores what must survive a restart, and then reports it by {@link Claims#stored}; never, if it
   * cannot be stored. A later one replaces an earlier one.
   */
  void store(ClaimMemory memory);

  /**
   * Reports that a call holds its claim, in answer to {@link Claims#acquire} or {@link
   * Claims#renew}.
   *
   * @param number of the answered question; 0 of acquire
   * @param fence the fencing number
   * @param remainingNanos how long, from the question on
   */
  void held(long call, long number, long fence, long remainingNanos);

  /** Reports that a call does not hold its claim, and will not; once, unless it was released. */
  void ended(long call, ClaimEnd end);

  /** Answers {@link Claims#inquire}. */
  void answered(long inquiry, ClaimState state);
}
