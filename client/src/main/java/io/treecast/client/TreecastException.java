package io.treecast.client;

import org.jspecify.annotations.Nullable;

/**
 * The failure of a call on {@link Treecast}. The {@link #reason} is for programs. The message
 * begins with it, and states what failed, where, and the remedy.
 */
public final class TreecastException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  /**
   * The kinds of failure. "Nothing was sent" is certain, but concerns this call alone: an earlier
   * one with the same {@link RetryToken} may have been accepted.
   */
  public enum Reason {
    /**
     * There was no connection to the agent in the time allowed, or the agent hangs and accepts
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
     * accepts no more. Nothing was sent.
     *
     * <p>For a collective operation: the limit of pending operations was reached in the client or
     * in an agent. If that agent had started the operation, it has failed for all members; then a
     * repeated call fails again, and all members must use another name.
     */
    BUFFER_FULL,
    /**
     * The payload is larger than the client or the agent allows; or the combined value or the
     * result of a collective operation is larger than an agent allows.
     */
    PAYLOAD_TOO_LARGE,
    /**
     * The request was sent, and there was no answer: the agent may have accepted the broadcast or
     * not. Sending it again may deliver it twice, unless it has a {@link RetryToken}. In a
     * collective operation, this member may have taken part.
     */
    OUTCOME_UNKNOWN,
    /**
     * The broadcast has a {@link RetryToken}, and the agent has no record of an earlier attempt any
     * more, which it may have accepted. This attempt was not sent.
     */
    RETRY_TOO_LATE,
    /**
     * The agent has accepted the broadcast, which is on its way. At the end of the wait, fewer
     * other members had it than the required {@linkplain BroadcastOptions#withReplicas replicas}.
     * {@link #accepted} has their number.
     */
    NOT_REPLICATED,
    /**
     * The agent has accepted the broadcast, which is on its way. Either the members that have
     * delivered it cannot be learnt, or they are fewer than the {@linkplain
     * BroadcastOptions#withConfirm(Confirm, java.time.Duration, int) minimum}. In the latter case
     * {@link #accepted} names them.
     */
    NOT_CONFIRMED,
    /**
     * A broadcast selects no member; nothing was sent. Or not all members had called a collective
     * operation when this call timed out; the message names the missing ones. This member's
     * contribution still counts: a call with the same {@link RetryToken} continues to wait.
     */
    MEMBERS_MISSING,
    /**
     * Members called different collective operations by the same name, or gave vectors of different
     * lengths. None of them receives a result.
     */
    DISAGREEMENT,
    /**
     * This member has already taken part in a collective operation of that name. It was not counted
     * again.
     */
    NAME_USED,
    /** A sum of a collective operation does not fit in 64 bits. No member receives a result. */
    OVERFLOW,
    /**
     * A collective operation was complete, but the members that had the result have lost it since.
     */
    RESULT_LOST,
    /**
     * A collective operation was completed by other members, without this member's contribution:
     * this member was in another part of the network, or called too late.
     */
    LEFT_OUT,
    /**
     * The members of a group changed before all had called a collective operation, and this call
     * timed out before the members of a later view had called. No member has a result of the
     * earlier view.
     */
    VIEW_CHANGED,
    /** Another caller holds the claim, or has waited for it for longer. */
    CLAIM_HELD,
    /**
     * Too few of a claim's members voted: they are in another part of the network, or have
     * restarted and do not vote yet.
     */
    NO_MAJORITY,
    /** The lease of a claim ended before it was renewed. */
    CLAIM_LOST,
    /**
     * The agent's permissions do not permit the call. The message names the application's identity,
     * the action, the topic or operation, and the missing rule. Nothing was sent; but a
     * subscription or upload may have been under way when its permission was withdrawn.
     */
    PERMISSION_DENIED,
    /**
     * The agent refuses the request, for the reason in the message, or the server is not a Treecast
     * agent.
     */
    REFUSED,
    /**
     * The rest of a message will not arrive: its publisher has abandoned it, the agent was
     * disconnected for too long, or the connection was lost. For an upload: the broadcast was
     * abandoned, and may be repeated.
     */
    INCOMPLETE,
    /** The received payload differs from the one that was sent. */
    CHECKSUM_MISMATCH,
    /** The agent sent an invalid response. It may have carried out the call. */
    PROTOCOL_VIOLATION,
    /** The application's handler threw; the cause is its exception. */
    HANDLER_FAILED,
    /** The thread was interrupted while it waited in a blocking call. */
    INTERRUPTED,
    /**
     * The client was closed. It is unknown whether the agent has accepted the broadcast: sending it
     * again through another client may deliver it twice, unless it has a {@link RetryToken}. For a
     * collective operation: this member may have taken part.
     */
    CLOSED
  }

  private final Reason reason;

  /** Transient, because it is not serializable and only of use in this process. */
  private final transient @Nullable BroadcastResult accepted;

  TreecastException(Reason reason, String message) {
    this(reason, message, null);
  }

  TreecastException(Reason reason, String message, @Nullable Throwable cause) {
    super(reason + ": " + message, cause);
    this.reason = reason;
    this.accepted = null;
  }

  /** Creates the failure of an accepted broadcast that has reached fewer members than required. */
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
   * exception is not the copy's cause, because a log would then contain its message twice.
   */
  TreecastException rethrown() {
    return new TreecastException(this);
  }

  /** Returns the kind of failure. */
  public Reason reason() {
    return reason;
  }

  /**
   * Returns the accepted broadcast for {@code NOT_REPLICATED}, and for {@code NOT_CONFIRMED} if the
   * members that have delivered it are known; otherwise null.
   */
  public @Nullable BroadcastResult accepted() {
    return accepted;
  }
}
