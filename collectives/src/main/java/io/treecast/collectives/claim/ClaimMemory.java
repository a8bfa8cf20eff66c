package io.treecast.collectives.claim;

/**
 * The part of a member's knowledge that must survive its restart. Immutable.
 *
 * @param ceiling no vote had a higher count
 * @param longestNanos no vote had a longer lease
 */
public record ClaimMemory(long ceiling, long longestNanos) {
  /** Returns whether this memory covers all votes that another one covers. */
  boolean covers(ClaimMemory other) {
    return ceiling >= other.ceiling && longestNanos >= other.longestNanos;
  }
}
