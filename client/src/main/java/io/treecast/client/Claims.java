package io.treecast.client;

import java.util.Arrays;
import java.util.Collection;

/**
 * Claims: ownership of a name, with a lease and a fencing number, which a majority of named members
 * grants.
 *
 * <pre>{@code
 * Claim claim = treecast.claims().among("h1", "h2", "h3").acquire("leader", lease).join();
 * claim.onLost(worker::stop);
 * worker.run(claim.fence());
 * }</pre>
 *
 * <p>Name and members together identify a claim: all callers must name the same members. At any
 * time at most one caller holds it, as long as no clock gains or loses more than 1 %. Safe for use
 * by several threads.
 */
public final class Claims {
  private final AgentConnection connection;
  private final PendingClaims pending;

  Claims(AgentConnection connection, PendingClaims pending) {
    this.connection = connection;
    this.pending = pending;
  }

  /**
   * Returns the claims that a majority of these members grants.
   *
   * @param members 1 to 15 ids of members, in any order
   * @throws IllegalArgumentException if the number is outside these limits
   */
  public MemberClaims among(String... members) {
    return among(Arrays.asList(members));
  }

  /** As {@link #among(String...)}. */
  public MemberClaims among(Collection<String> members) {
    return new MemberClaims(connection, pending, members, false);
  }
}
