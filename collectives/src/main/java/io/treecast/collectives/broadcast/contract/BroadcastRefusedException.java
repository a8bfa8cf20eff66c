package io.treecast.collectives.broadcast.contract;

/**
 * Thrown when a publisher's payload or a subscription was refused; nothing has changed. The message
 * is for people and names the setting to change; the {@link #reason()} is for programs. Has no
 * stack trace, because refusals are part of the traffic when members are slow.
 */
public final class BroadcastRefusedException extends Exception {
  private static final long serialVersionUID = 1L;

  /** The reason of a refusal. */
  public enum Reason {
    /** The payload is larger than {@code limits.payloadBytes}; it will never be accepted. */
    PAYLOAD_TOO_LARGE,
    /**
     * The publish buffer ({@code limits.publishBufferBytes}) is full, or slower members lack as
     * much as this member's share of {@code limits.logBytes}; try again later.
     */
    PUBLISH_BUFFER_FULL,
    /**
     * No tree has been committed here yet; try again once one is. After the first tree, messages
     * that are published while tree edges are lost are kept for the members behind these edges.
     */
    NO_TREE,
    /**
     * The largest number of messages await receipts or replicas, or are remembered for queries
     * about their receipts; try again later.
     */
    TOO_MANY_CONFIRMATIONS,
    /** Raised by an agent that shuts down and accepts no more requests. */
    SHUTTING_DOWN,
    /** Raised by an agent that may have accepted the request before, but has no record of it. */
    MAY_BE_ACCEPTED,
    /** Raised by an agent that has received a different request with the same retry token. */
    TOKEN_REUSED,
    /** {@code limits.uploads} are under way; try again when one has ended. */
    TOO_MANY_UPLOADS,
    /** {@code limits.subscribers} are subscribed already. */
    TOO_MANY_SUBSCRIBERS,
    /**
     * A subscription is to start after a message that cannot have existed; it will never be
     * accepted.
     */
    NOT_A_POSITION,
    /** {@code limits.topics} topics of this agent are published on or subscribed to already. */
    TOO_MANY_TOPICS
  }

  private final Reason reason;

  /** Creates a refusal with its reason and an explanation. */
  public BroadcastRefusedException(Reason reason, String message) {
    super(message, null, false, false);
    this.reason = reason;
  }

  public Reason reason() {
    return reason;
  }
}
