package io.treecast.agent.core.data;

import io.treecast.collectives.claim.ClaimEvents;
import io.treecast.collectives.claim.ClaimLimits;
import io.treecast.collectives.claim.ClaimMemory;
import org.jspecify.annotations.Nullable;

/**
 * The start of an agent's part in claims.
 *
 * @param limits its bounds
 * @param memory of the last incarnation; null if it is lost, or there was none
 * @param events receives reports to applications, and what is to be stored
 */
public record ClaimSetup(ClaimLimits limits, @Nullable ClaimMemory memory, ClaimEvents events) {
  /** An agent without applications that use claims. It grants none. */
  public static final ClaimSetup NONE =
      new ClaimSetup(ClaimLimits.defaults(), null, ClaimEvents.NONE);
}
