package io.treecast.collectives.claim;

/** Why a member refuses its vote. */
public enum RefusalCause {
  /** Another owner has the vote. */
  HELD,
  /** Another owner has waited longer. */
  NOT_FIRST,
  /** The count is not above one that the member has accepted. */
  LOW_COUNT,
  /** The member has restarted, and votes from before may still last. */
  ABSTAINS,
  /** The member's limit of claims is reached. */
  NO_ROOM,
  /** The lease is longer than the member's limit. */
  LONG_LEASE
}
