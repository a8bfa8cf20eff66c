package io.treecast.agent.core.data;

import io.treecast.collectives.claim.ClaimEvents;
import io.treecast.collectives.claim.ClaimLimits;
import io.treecast.collectives.claim.ClaimMemory;
import org.jspecify.annotations.Nullable;

/**
 * The configuration of an agent's claims service.
 *
 * @param limits its limits
 * @param memory the memory of the last incarnation; null if it is lost, or there was none
 * @param events receives reports for applications, and the memory to store
 */
public record ClaimSetup(ClaimLimits limits, @Nullable ClaimMemory memory, ClaimEvents events) {
  /** The setup of an agent without applications that use claims. It grants no claims. */
  public static final ClaimSetup NONE =
      new ClaimSetup(ClaimLimits.defaults(), null, ClaimEvents.NONE);
}
