package io.treecast.collectives.broadcast.contract;

/**
 * A publisher's payload or a subscription was not taken; nothing has changed. The message is for a
 * person and names the setting to change, the {@link #reason()} is for programs. Without stack
 * trace: refusals are part of the traffic when members are slow.
 */
public final class BroadcastRefusedException extends Exception {
  private static final long serialVersionUID = 1L;

  /** Why it was refused. */
  public enum Reason {
    /** The payload is larger than {@code limits.payloadBytes}; it will never be taken. */
    PAYLOAD_TOO_LARGE,
    /**
     * {@code limits.publishBufferBytes} wait for slower members, or those lack this member's share
     * of {@code limits.logBytes}; try again later.
     */
    PUBLISH_BUFFER_FULL,
    /**
     * No tree has been committed here yet; try again once one is. Later, what is published while
     * edges of the tree are lost is kept for those behind them.
     */
    NO_TREE,
    /**
     * As many messages as may await receipts or replicas, or the question who gave receipts, do;
     * try again later.
     */
    TOO_MANY_CONFIRMATIONS,
    /** By an agent: it may have accepted the same request before, and cannot tell. */
    MAY_BE_ACCEPTED,
    /** By an agent: a different request came with the same retry token before. */
    TOKEN_REUSED,
    /** {@code limits.uploads} are under way; try again when one has ended. */
    TOO_MANY_UPLOADS,
    /** {@code limits.subscribers} are subscribed already. */
    TOO_MANY_SUBSCRIBERS,
    /** A subscriber is to begin after what cannot have been; it will never be taken. */
    NOT_A_POSITION,
    /** Of this agent, {@code limits.topics} are published on or subscribed to already. */
    TOO_MANY_TOPICS
  }

  private final Reason reason;

  /** Refused for this reason. */
  public BroadcastRefusedException(Reason reason, String message) {
    super(message, null, false, false);
    this.reason = reason;
  }

  public Reason reason() {
    return reason;
  }
}
