package io.treecast.client;

import org.jspecify.annotations.Nullable;

/**
 * The failure of a call on {@link Treecast}. The {@link #reason} is for programs; the message
 * begins with it, and says what failed, where, and what to do next.
 */
public final class TreecastException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  /**
   * The kinds of failure. "Nothing was sent" is certain, and about this call alone: an earlier one
   * with the same {@link RetryToken} may have been accepted.
   */
  public enum Reason {
    /**
     * There was no connection to the agent in the time allowed, or the agent hangs and takes
     * nothing. Nothing was sent, and nothing will be.
     */
    AGENT_UNREACHABLE,
    /**
     * The agent has no tree, or one with fewer members than its setting {@code readyMembers}, and
     * got no other in the time allowed; or it is shutting down. Nothing was sent.
     */
    NO_TREE,
    /**
     * There was no room in the agent in the time allowed, because members or subscribers are slow;
     * or too many broadcasts wait already, in the client or in the agent; or the agent hangs and
     * takes no more. Nothing was sent. For a collective operation: the limit of pending operations
     * was reached in the client or in an agent. If that agent had begun with it, the operation has
     * failed for all members; then a repeated call fails again, and all members must use another
     * name.
     */
    BUFFER_FULL,
    /**
     * The payload is larger than the client or the agent allows; or the combined value or the
     * result of a collective operation is larger than an agent allows.
     */
    PAYLOAD_TOO_LARGE,
    /**
     * The request left, and no answer came: the agent may have accepted the broadcast or not.
     * Sending it again may deliver it twice, unless it has a {@link RetryToken}. In a collective
     * operation, this member may have taken part.
     */
    OUTCOME_UNKNOWN,
    /**
     * The broadcast has a {@link RetryToken}, and the agent can no longer tell whether it accepted
     * an earlier attempt. It was not sent now.
     */
    RETRY_TOO_LATE,
    /**
     * The agent has accepted the broadcast, which is on its way, but when the wait was over fewer
     * other members had it than the required {@linkplain BroadcastOptions#withReplicas replicas}.
     * {@link #accepted} says how many.
     */
    NOT_REPLICATED,
    /**
     * The agent has accepted the broadcast, which is on its way; but either the members that have
     * delivered it cannot be learnt, or they are fewer than the {@linkplain
     * BroadcastOptions#withConfirm(Confirm, java.time.Duration, int) minimum}. In the latter case
     * {@link #accepted} names them.
     */
    NOT_CONFIRMED,
    /**
     * A broadcast selects no member; nothing was sent. Or not all members had come to a collective
     * operation when the time of this call was over; the message names the missing ones. This
     * member's contribution still counts: with the same {@link RetryToken} the call goes on
     * waiting.
     */
    MEMBERS_MISSING,
    /**
     * Members called different collective operations by the same name, or gave vectors of different
     * lengths. None of them gets a result.
     */
    DISAGREEMENT,
    /**
     * This member has already taken part in a collective operation of that name. It was not counted
     * again.
     */
    NAME_USED,
    /** A sum of a collective operation does not fit in 64 bits. No member gets a result. */
    OVERFLOW,
    /**
     * A collective operation was complete, but the members that had the result have lost it since.
     */
    RESULT_LOST,
    /**
     * A collective operation was complete at other members, without this member's contribution:
     * this member was in another part of the network, or called too late.
     */
    LEFT_OUT,
    /**
     * The members of a group changed before all had called a collective operation, and the time of
     * this call was over before the members of a later view had. No member has a result of the
     * earlier view.
     */
    VIEW_CHANGED,
    /** Another caller holds the claim, or has waited for it for longer. */
    CLAIM_HELD,
    /**
     * Too few of a claim's members answered with a vote: they are in another part of the network,
     * or have restarted and do not vote yet.
     */
    NO_MAJORITY,
    /** The lease of a claim ended before it was renewed. */
    CLAIM_LOST,
    /**
     * The agent's permissions do not allow the call to the application. The message names its
     * identity, the action, the topic or operation, and the missing rule. Nothing was sent; a
     * subscription or upload may have been under way when its permission was withdrawn.
     */
    PERMISSION_DENIED,
    /**
     * The agent refuses the request, for the reason in the message, or the server is not a Treecast
     * agent.
     */
    REFUSED,
    /**
     * The rest of a message will not come: its publisher abandoned it, the agent was away for too
     * long, or the connection was lost. For an upload: its broadcast was abandoned, and may be
     * repeated.
     */
    INCOMPLETE,
    /** The payload that arrived differs from the one that was sent. */
    CHECKSUM_MISMATCH,
    /** The agent sent an invalid response. It may have carried out the call. */
    PROTOCOL_VIOLATION,
    /** The application's handler threw; the cause is its exception. */
    HANDLER_FAILED,
    /** The thread was interrupted while it waited in a blocking call. */
    INTERRUPTED,
    /**
     * The client was closed. It is unknown whether the agent has accepted the broadcast: sending it
     * again, as through another client, may deliver it twice, unless it has a {@link RetryToken}.
     * For a collective operation: this member may have taken part.
     */
    CLOSED
  }

  private final Reason reason;

  /** Not serializable, and of no use elsewhere. */
  private final transient @Nullable BroadcastResult accepted;

  TreecastException(Reason reason, String message) {
    this(reason, message, null);
  }

  TreecastException(Reason reason, String message, @Nullable Throwable cause) {
    super(reason + ": " + message, cause);
    this.reason = reason;
    this.accepted = null;
  }

  /** Creates the failure of an accepted broadcast that reached fewer members than required. */
  TreecastException(Reason reason, BroadcastResult accepted, String message) {
    super(reason + ": " + message);
    this.reason = reason;
    this.accepted = accepted;
  }

  private TreecastException(TreecastException same) {
    super(same.getMessage(), same.getCause());
    this.reason = same.reason;
    this.accepted = same.accepted;
  }

  /**
   * Returns a copy for another caller, with that caller's stack trace and the same cause. This
   * exception is not the copy's cause: a log would contain its message twice.
   */
  TreecastException rethrown() {
    return new TreecastException(this);
  }

  /** Returns the kind of failure. */
  public Reason reason() {
    return reason;
  }

  /**
   * Returns the broadcast that the agent has accepted, for {@code NOT_REPLICATED}, and for {@code
   * NOT_CONFIRMED} if the members that have delivered it are known; otherwise null.
   */
  public @Nullable BroadcastResult accepted() {
    return accepted;
  }
}
