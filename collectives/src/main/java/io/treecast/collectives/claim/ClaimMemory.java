package io.treecast.collectives.claim;

/**
 * The part of a member's knowledge that must survive its restart. Immutable.
 *
 * @param ceiling no vote had a higher count
 * @param longestNanos no vote was for longer
 */
public record ClaimMemory(long ceiling, long longestNanos) {
  /** Returns whether this promises at least what another one does. */
  boolean covers(ClaimMemory other) {
    return ceiling >= other.ceiling && longestNanos >= other.longestNanos;
  }
}
