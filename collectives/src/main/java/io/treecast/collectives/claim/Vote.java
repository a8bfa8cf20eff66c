package io.treecast.collectives.claim;

import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * A member's vote for one claim, and the queue of the owners that want it. A vote that lasts is
 * never given to another owner.
 */
final class Vote {
  /** The time that the first owner of the queue has to request a free vote. */
  static final long TURN_NANOS = 1_000_000_000L;

  /**
   * An owner in the queue: its ticket, and the time until which it stays without another request.
   */
  record Waiting(long ticket, long untilNanos) {}

  /** The highest count that had this vote. */
  long count;

  /** The owner of the vote with that count; null if it may not have it again. */
  @Nullable Owner voted;

  /** The round of the owner's last request that was granted. */
  long round;

  long fence;

  /** The end of the vote. Once this time has passed, there is no vote. */
  long untilNanos;

  /** The last ticket that was issued, or shown by an owner. */
  long lastTicket;

  /** The owner whose turn it is; null if it is nobody's. */
  private @Nullable Owner inTurn;

  /** The end of that turn; {@link Long#MAX_VALUE} without one. */
  long turnEndsNanos = Long.MAX_VALUE;

  final TreeMap<Owner, Waiting> queue = new TreeMap<>();

  /** Creates the state of a claim that had no vote with a higher count. */
  Vote(long count, long nowNanos) {
    this.count = count;
    this.untilNanos = nowNanos;
  }

  /** Returns whether the vote lasts. */
  boolean lasts(long nowNanos) {
    return voted != null && nowNanos < untilNanos;
  }

  /** Ends the vote; its owner must not get it again with the same count. */
  void end(long nowNanos) {
    voted = null;
    untilNanos = nowNanos;
  }

  /**
   * Puts an owner in the queue, or renews its place there. Returns its ticket; 0 if the queue is
   * full.
   *
   * @param shown the ticket that another member issued; 0 for none
   */
  long enqueue(Owner owner, long shown, long untilNanos) {
    Waiting known = queue.get(owner);
    if (known == null && queue.size() == ClaimLimits.MAX_WAITING) {
      return 0;
    }
    // The highest ticket of all members is the owner's place everywhere.
    long ticket = Math.max(shown, known == null ? 0 : known.ticket());
    if (ticket == 0) {
      ticket = lastTicket + 1;
    }
    lastTicket = Math.max(lastTicket, ticket);
    queue.put(owner, new Waiting(ticket, untilNanos));
    return ticket;
  }

  /** Removes owners that have sent no request for long, and returns the first of the others. */
  @Nullable Owner first(long nowNanos) {
    queue.values().removeIf(waiting -> waiting.untilNanos() <= nowNanos);
    Owner first = null;
    long least = Long.MAX_VALUE;
    for (var each : queue.entrySet()) {
      if (each.getValue().ticket() < least) {
        least = each.getValue().ticket();
        first = each.getKey();
      }
    }
    return first;
  }

  /** Returns whether the turn of this owner is over. */
  boolean wasInTurn(Owner owner, long nowNanos) {
    return owner.equals(inTurn) && turnEndsNanos <= nowNanos;
  }

  /** Gives an owner its turn, if it has none yet. Returns whether one begins. */
  boolean beginTurn(Owner owner, long nowNanos) {
    if (owner.equals(inTurn)) {
      return false;
    }
    inTurn = owner;
    turnEndsNanos = nowNanos + TURN_NANOS;
    return true;
  }

  void endTurn() {
    inTurn = null;
    turnEndsNanos = Long.MAX_VALUE;
  }

  /** Returns when the turn of the first of the queue begins or ends; never for a vote withdrawn. */
  long nextNanos() {
    return voted == null || turnEndsNanos != Long.MAX_VALUE ? turnEndsNanos : untilNanos;
  }
}
