package io.treecast.client;

import org.jspecify.annotations.Nullable;

/**
 * Why a call on {@link Treecast} failed. The {@link #reason} is for programs; the message begins
 * with it, and says for a person what failed, where, and what to do next.
 */
public final class TreecastException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  /**
   * The kinds of failure. What says that nothing was sent is certain, and about this call alone: an
   * earlier one with the same {@link RetryToken} may have been accepted.
   */
  public enum Reason {
    /**
     * No connection to the agent in the time allowed, or it hangs and takes nothing. Nothing was
     * sent, and nothing will be.
     */
    AGENT_UNREACHABLE,
    /**
     * The agent has no tree, or one of fewer members than its setting {@code readyMembers} says,
     * and got no other in the time allowed; or it is shutting down. Nothing was sent.
     */
    NO_TREE,
    /**
     * There was no room in the agent in the time allowed, since members or subscribers are slow, or
     * too many broadcasts wait already, in the client or in the agent; or it takes no more, since
     * it hangs. Nothing was sent. Of a collective operation: as many wait here as may, or an agent
     * has as many as it may; where that agent had begun with it, it has failed for all. So who
     * calls again, and fails again, does it under another name, as all the others.
     */
    BUFFER_FULL,
    /**
     * The payload is larger than the client or the agent allows; or what a collective operation
     * combines or comes to is larger than an agent allows.
     */
    PAYLOAD_TOO_LARGE,
    /**
     * The request left, and no answer came: the agent may have accepted the broadcast or not. To
     * send it again may deliver it twice, unless it has a {@link RetryToken}. Of a collective
     * operation: this member may have taken part.
     */
    OUTCOME_UNKNOWN,
    /**
     * The broadcast has a {@link RetryToken}, and the agent cannot tell any more whether it
     * accepted it when it was sent before. It was not sent now.
     */
    RETRY_TOO_LATE,
    /**
     * The agent has accepted the broadcast, which is on its way, and when the wait was over fewer
     * other members had it than the {@linkplain BroadcastOptions#withReplicas replicas} that were
     * asked for. {@link #accepted} says how many.
     */
    NOT_REPLICATED,
    /**
     * The agent has accepted the broadcast, which is on its way; and either it cannot be learnt
     * which members have delivered it, or fewer have than the {@linkplain
     * BroadcastOptions#withConfirm(Confirm, java.time.Duration, int) minimum}. In the latter case
     * {@link #accepted} says which.
     */
    NOT_CONFIRMED,
    /**
     * Not all members had come to a collective operation when the time of this call was over; the
     * message names them. What this member gave counts still: with the same {@link RetryToken} the
     * call goes on waiting.
     */
    MEMBERS_MISSING,
    /**
     * Members mean different collective operations by the same name, or gave vectors of two
     * lengths. None of them gets a result.
     */
    DISAGREEMENT,
    /**
     * This member has taken part in a collective operation of that name. It was not counted again.
     */
    NAME_USED,
    /** A sum of a collective operation does not fit in 64 bits. No member gets a result. */
    OVERFLOW,
    /** A collective operation was complete, and who had the result has lost it since. */
    RESULT_LOST,
    /**
     * A collective operation was complete at other members, and their result does not contain what
     * this member gave: it was in another part of the network, or called too late.
     */
    LEFT_OUT,
    /**
     * The agent refuses what it was asked, for a reason that its words tell, or what answers is no
     * Treecast agent.
     */
    REFUSED,
    /**
     * The rest of a message will not come: its publisher abandoned it, the agent was away for too
     * long, or the connection was lost. Of an upload: its broadcast was abandoned, and may be
     * repeated.
     */
    INCOMPLETE,
    /** The payload that arrived is not the one that was sent. */
    CHECKSUM_MISMATCH,
    /**
     * The agent sent what this client cannot make sense of. Of a call that it answered so, it may
     * have carried it out.
     */
    PROTOCOL_VIOLATION,
    /** The application's handler threw; the cause says what. */
    HANDLER_FAILED,
    /** The thread was interrupted while it waited in a blocking call. */
    INTERRUPTED,
    /**
     * The client was closed. Of a broadcast it is unknown whether the agent has accepted it: to
     * send it again, as through another client, may deliver it twice, unless it has a {@link
     * RetryToken}. Of a collective operation: this member may have taken part.
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

  /** What was accepted did not come as far as it was to. */
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
   * The same failure of the same cause, thrown at another caller, whose trace it shows. This one is
   * not its cause: a log would have its message twice.
   */
  TreecastException rethrown() {
    return new TreecastException(this);
  }

  /** The kind of failure. */
  public Reason reason() {
    return reason;
  }

  /**
   * The broadcast that the agent has accepted, of {@code NOT_REPLICATED}, and of {@code
   * NOT_CONFIRMED} where it is known which members have delivered it; otherwise null.
   */
  public @Nullable BroadcastResult accepted() {
    return accepted;
  }
}
