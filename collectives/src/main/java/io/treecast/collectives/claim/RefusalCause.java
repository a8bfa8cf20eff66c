package io.treecast.collectives.claim;

/** Why a member refuses its vote. */
public enum RefusalCause {
  /** Another owner has it. */
  HELD,
  /** Another owner waits for longer. */
  NOT_FIRST,
  /** The count is not above one that the member has accepted. */
  LOW_COUNT,
  /** The member has restarted: votes from before may last. */
  ABSTAINS,
  /** The member's limit of claims is reached. */
  NO_ROOM,
  /** The lease is longer than the member's limit. */
  LONG_LEASE
}
