package io.treecast.collectives.claim;

import org.jspecify.annotations.Nullable;

/** A message between members about a claim. It may be lost, delayed or duplicated. Immutable. */
public sealed interface ClaimMessage {
  /** The highest count of a ballot: all below it fit in a number of JavaScript. */
  long MAX_COUNT = (1L << 53) - 1;

  ClaimKey key();

  /** A message to a member that votes; the other messages come from such a member. */
  sealed interface Request extends ClaimMessage {}

  /**
   * Requests a vote, or the renewal of one.
   *
   * @param owner the owner that requests it
   * @param round the number of the owner's round of requests, from 1
   * @param count higher than that of each earlier vote for another owner
   * @param fence the fencing number that the owner has, or will have
   * @param leaseNanos how long the vote must last
   * @param ticket the owner's place among those that wait; 0 if it has none
   * @param holds whether the owner holds the claim, and precedes those that wait
   */
  record Propose(
      ClaimKey key,
      Owner owner,
      long round,
      long count,
      long fence,
      long leaseNanos,
      long ticket,
      boolean holds)
      implements Request {}

  /**
   * Withdraws an owner's vote.
   *
   * @param round votes of later rounds stay
   * @param ticket the owner's place in the queue, which it keeps; 0 if it leaves the queue
   */
  record Release(ClaimKey key, Owner owner, long round, long ticket) implements Request {}

  /**
   * Requests the present vote.
   *
   * @param number of the inquiry, for its answer
   */
  record Inquire(ClaimKey key, long number) implements Request {}

  /**
   * Grants a vote.
   *
   * @param owner the owner in the request
   * @param round the round in the request
   */
  record Accepted(ClaimKey key, Owner owner, long round) implements ClaimMessage {}

  /**
   * Refuses a vote.
   *
   * @param owner the owner in the request
   * @param round the round in the request
   * @param reason why
   * @param count the highest count that this member has accepted, if that is the reason
   * @param remainingNanos after which another request is useful; 0 if not known
   * @param ticket the owner's place in the queue; 0 without one
   */
  record Refused(
      ClaimKey key,
      Owner owner,
      long round,
      RefusalCause reason,
      long count,
      long remainingNanos,
      long ticket)
      implements ClaimMessage {}

  /**
   * Notifies the first owner in the queue that the claim may be free.
   *
   * @param owner the first
   */
  record Available(ClaimKey key, Owner owner) implements ClaimMessage {}

  /**
   * Answers an inquiry.
   *
   * @param number of the inquiry
   * @param owner that has the vote; null if there is no vote
   * @param fence the owner's
   * @param remainingNanos of the vote
   * @param waiting how many owners wait
   */
  record Voted(
      ClaimKey key,
      long number,
      @Nullable Owner owner,
      long fence,
      long remainingNanos,
      int waiting)
      implements ClaimMessage {}
}
