package io.treecast.collectives.claim;

import io.treecast.collectives.claim.ClaimMessage.Accepted;
import io.treecast.collectives.claim.ClaimMessage.Propose;
import io.treecast.collectives.claim.ClaimMessage.Refused;
import io.treecast.collectives.claim.ClaimMessage.Release;
import io.treecast.ghs.NodeId;
import java.util.List;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.BiConsumer;

/** A call that wants or holds a claim: its rounds of requests, and the answers of members. */
final class Claimant {
  /** The wait for answers before requests are sent again. */
  private static final long RESEND_NANOS = 300_000_000L;

  /** The number of times that a round's requests are sent again, each time after twice the wait. */
  private static final int MAX_RESENDS = 3;

  /** The longest pause of a claimant that does not know when its turn comes. */
  private static final long MAX_PAUSE_NANOS = 5_000_000_000L;

  private static final long COLLISION_NANOS = 50_000_000L;

  /** The request of a caller. */
  record Acquisition(ClaimKey key, long leaseNanos, boolean waits, long deadlineNanos) {}

  final Owner owner;
  final Acquisition acquisition;
  private final BiConsumer<NodeId, ClaimMessage> send;

  private long count;
  private long round;
  private long ticket;
  private final SortedSet<NodeId> accepted = new TreeSet<>();
  private final SortedMap<NodeId, Refused> refused = new TreeMap<>();

  /** The members that granted the claim in the round before. */
  private SortedSet<NodeId> acceptedBefore = new TreeSet<>();

  /** The members that refused the claim in the round before, and why. */
  private SortedMap<NodeId, Refused> refusedBefore = new TreeMap<>();

  /** Whether the round is under way. Otherwise, the next one begins at {@link #nextNanos}. */
  private boolean isAsking;

  private long askedNanos;
  private int resends;
  private int failedRounds;

  /** Why the last round had no majority. */
  ClaimEnd.Reason obstacle = ClaimEnd.Reason.NO_MAJORITY;

  private long nextNanos;

  /** The fencing number; 0 while it does not hold the claim. */
  private long fence;

  /** The beginning of the last round that had a majority. */
  private long grantedNanos;

  /** The number of the renewal that waits for the end of the round; -1 if there is none. */
  private long question = -1;

  /** Whether the caller may believe that it holds the claim. */
  boolean isBelieved;

  /** Whether the caller was notified of the grant. */
  boolean isToldGranted;

  Claimant(
      Owner owner,
      Acquisition acquisition,
      long knownCount,
      BiConsumer<NodeId, ClaimMessage> send) {
    this.owner = owner;
    this.acquisition = acquisition;
    this.count = knownCount + 1;
    this.send = send;
  }

  boolean holds() {
    return fence != 0;
  }

  long fence() {
    return fence;
  }

  /** Returns when this call ceases to hold the claim. */
  long endsNanos() {
    return grantedNanos + Lease.believedNanos(acquisition.leaseNanos());
  }

  /** Returns when {@link #tick} is due. */
  long nextDeadlineNanos() {
    return Math.min(nextNanos, holds() ? endsNanos() : acquisition.deadlineNanos());
  }

  /** Begins a round of requests to all members. */
  void ask(long nowNanos) {
    round++;
    if (!holds() && round > 1) {
      count++;
    }
    for (Refused refusal : refused.values()) {
      count = Math.max(count, refusal.count() + 1);
    }
    acceptedBefore = new TreeSet<>(accepted);
    refusedBefore = new TreeMap<>(refused);
    accepted.clear();
    refused.clear();
    isAsking = true;
    resends = 0;
    askedNanos = nowNanos;
    sendQuestions();
    nextNanos = nowNanos + RESEND_NANOS;
  }

  private void sendQuestions() {
    long wanted = holds() ? fence : count;
    Propose propose =
        new Propose(
            acquisition.key(),
            owner,
            round,
            count,
            wanted,
            acquisition.leaseNanos(),
            ticket,
            holds());
    for (NodeId member : acquisition.key().members()) {
      if (!accepted.contains(member) && !refused.containsKey(member)) {
        send.accept(member, propose);
      }
    }
  }

  /** Returns whether answers to this round count. */
  boolean awaits(long ofRound) {
    return isAsking && ofRound == round;
  }

  /** Notes a vote. Returns whether it completes a majority. */
  boolean accepted(NodeId from, Accepted vote, List<NodeId> voters, long nowNanos) {
    if (!awaits(vote.round()) || !voters.contains(from)) {
      return false;
    }
    accepted.add(from);
    refused.remove(from);
    accepted.retainAll(voters);
    if (accepted.size() < ClaimKey.majority(voters.size())) {
      return false;
    }
    if (askedNanos + Lease.believedNanos(acquisition.leaseNanos()) <= nowNanos) {
      failed(nowNanos);
      return false;
    }
    isAsking = false;
    failedRounds = 0;
    nextNanos = Long.MAX_VALUE;
    grantedNanos = askedNanos;
    if (!holds()) {
      fence = count;
    }
    return true;
  }

  /** Notes a refusal. Returns whether this round can no longer reach a majority. */
  boolean refused(NodeId from, Refused refusal, List<NodeId> voters, long nowNanos) {
    if (!awaits(refusal.round()) || !voters.contains(from)) {
      return false;
    }
    refused.put(from, refusal);
    ticket = Math.max(ticket, refusal.ticket());
    if (voters.stream().filter(voter -> !refused.containsKey(voter)).count()
        >= ClaimKey.majority(voters.size())) {
      return false;
    }
    failed(nowNanos);
    return true;
  }

  /**
   * Returns the end of this call, with the answers of the voters to the last round. While a round
   * has just begun, members that have not answered it yet count with their answer to the one
   * before.
   */
  ClaimEnd endedBecause(ClaimEnd.Reason reason, List<NodeId> voters) {
    boolean hasJustBegun = isAsking && resends == 0;
    SortedSet<NodeId> granted = new TreeSet<>();
    SortedMap<NodeId, RefusalCause> causes = new TreeMap<>();
    SortedSet<NodeId> silent = new TreeSet<>();
    for (NodeId voter : voters) {
      boolean isNew = accepted.contains(voter) || refused.containsKey(voter) || !hasJustBegun;
      Refused refusal = (isNew ? refused : refusedBefore).get(voter);
      if ((isNew ? accepted : acceptedBefore).contains(voter)) {
        granted.add(voter);
      } else if (refusal != null) {
        causes.put(voter, refusal.reason());
      } else {
        silent.add(voter);
      }
    }
    return new ClaimEnd(reason, ClaimKey.majority(voters.size()), granted, causes, silent);
  }

  /** Ends a round without a majority. */
  private void failed(long nowNanos) {
    isAsking = false;
    failedRounds++;
    if (!holds()) {
      release(false);
      obstacle = obstacle();
    }
    nextNanos = nowNanos + pauseNanos();
  }

  private ClaimEnd.Reason obstacle() {
    ClaimEnd.Reason worst = ClaimEnd.Reason.NO_MAJORITY;
    for (Refused refusal : refused.values()) {
      switch (refusal.reason()) {
        case LONG_LEASE -> {
          return ClaimEnd.Reason.LONG_LEASE;
        }
        case HELD, NOT_FIRST -> worst = ClaimEnd.Reason.HELD;
        case NO_ROOM -> worst = ClaimEnd.Reason.NO_ROOM;
        case LOW_COUNT, ABSTAINS -> {}
      }
    }
    return worst;
  }

  /** Returns how long to pause before the next round. */
  private long pauseNanos() {
    long pause = Long.MAX_VALUE;
    for (Refused refusal : refused.values()) {
      if (refusal.reason() == RefusalCause.LOW_COUNT) {
        pause = Math.min(pause, failedRounds < 2 ? 0 : collisionNanos());
      } else if (refusal.remainingNanos() > 0) {
        pause = Math.min(pause, refusal.remainingNanos() + COLLISION_NANOS / 50);
      }
    }
    if (!accepted.isEmpty() && !refused.isEmpty()) {
      pause = Math.min(pause, collisionNanos());
    }
    if (holds()) {
      return Math.min(pause, acquisition.leaseNanos() / 8);
    }
    return pause == Long.MAX_VALUE ? MAX_PAUSE_NANOS : pause;
  }

  /** A pause that differs between owners, so that they do not collide again. */
  private long collisionNanos() {
    long mixed = (owner.hashCode() * 31L + round) * 0x9e37_79b9_7f4a_7c15L;
    return (COLLISION_NANOS << Math.min(failedRounds, 5)) / 1_024 * (mixed >>> 54);
  }

  /** Repeats requests, ends the round, or begins the next one, if due. */
  void tick(long nowNanos) {
    if (nextNanos > nowNanos) {
      return;
    }
    if (!isAsking) {
      ask(nowNanos);
    } else if (resends == MAX_RESENDS) {
      failed(nowNanos);
    } else {
      resends++;
      sendQuestions();
      nextNanos = nowNanos + (RESEND_NANOS << resends);
    }
  }

  /** Notes that it may be this owner's turn. */
  void turn(long nowNanos) {
    if (!holds() && !isAsking) {
      ask(nowNanos);
    }
  }

  /**
   * Notes a renewal. Returns whether it can be answered now; otherwise it is answered after the
   * round.
   */
  boolean renew(long number, long nowNanos) {
    if (nowNanos - grantedNanos < acquisition.leaseNanos() / 8) {
      return true;
    }
    question = number;
    if (!isAsking) {
      ask(nowNanos);
    }
    return false;
  }

  /** Returns the renewal that waits, and that the caller answers now; -1 if there is none. */
  long takeQuestion() {
    long waiting = question;
    question = -1;
    return waiting;
  }

  /**
   * Withdraws votes, and the place in the queue.
   *
   * @param isForGood whether the call ends, so that it also leaves the queues of members that
   *     refused
   */
  void release(boolean isForGood) {
    for (NodeId member : acquisition.key().members()) {
      if (isForGood || !refused.containsKey(member)) {
        send.accept(member, new Release(acquisition.key(), owner, round, isForGood ? 0 : ticket));
      }
    }
  }
}
