package io.treecast.client;

import java.time.Duration;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The holder of a claim, as a majority of its members report it.
 *
 * @param member the id of the holder's agent; null if no holder is known
 * @param fence the holder's fencing number; 0 without a holder
 * @param remaining the time until the lease ends unless the holder renews it
 * @param waiting the number of waiting callers
 */
public record ClaimHolder(@Nullable String member, long fence, Duration remaining, int waiting) {
  boolean isSame(ClaimHolder other) {
    return fence == other.fence && Objects.equals(member, other.member);
  }
}
