package io.treecast.collectives.claim;

import io.treecast.ghs.NodeId;
import java.util.SortedMap;
import java.util.SortedSet;

/**
 * Why a call does not hold its claim.
 *
 * @param reason the kind
 * @param needed how many members must grant it
 * @param granted the members that granted it in the last round of requests
 * @param refused the members that refused it then, and why
 * @param silent the other members, which did not answer
 */
public record ClaimEnd(
    Reason reason,
    int needed,
    SortedSet<NodeId> granted,
    SortedMap<NodeId, RefusalCause> refused,
    SortedSet<NodeId> silent) {
  /** The kinds of ends. */
  public enum Reason {
    /** Another owner has the claim, or has waited longer. */
    HELD,
    /** Too few members granted it, and none is known to have granted it to another owner. */
    NO_MAJORITY,
    /** The lease has ended. */
    LOST,
    /** The limit of calls, or of claims at members, is reached. */
    NO_ROOM,
    /** The lease is longer than members allow. */
    LONG_LEASE
  }
}
