package io.treecast.client;

import java.time.Duration;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The holder of a claim, as a majority of its members state it.
 *
 * @param member the id of the holder's agent; null if nobody is known to hold the claim
 * @param fence the holder's fencing number; 0 without a holder
 * @param remaining how long the claim stays with the holder unless it renews
 * @param waiting how many callers wait for it
 */
public record ClaimHolder(@Nullable String member, long fence, Duration remaining, int waiting) {
  boolean isSame(ClaimHolder other) {
    return fence == other.fence && Objects.equals(member, other.member);
  }
}
