package io.treecast.collectives.claim;

/**
 * Why a call does not hold its claim.
 *
 * @param reason the kind
 * @param answers how many members answered its last round of requests
 * @param needed how many members must grant it
 */
public record ClaimEnd(Reason reason, int answers, int needed) {
  /** The kinds of ends. */
  public enum Reason {
    /** Another owner has the claim, or has waited longer. */
    HELD,
    /** Too few members answered with a vote. */
    NO_MAJORITY,
    /** The lease has ended. */
    LOST,
    /** The limit of calls, or of claims at members, is reached. */
    NO_ROOM,
    /** The lease is longer than members allow. */
    LONG_LEASE
  }
}
