package io.treecast.agent.core.message;

import io.treecast.agent.core.settings.OverlayLimits;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The members that this agent links with.
 *
 * @param seeds the addresses at which to ask for other members
 * @param neighbours the only nodes to link with, if the links are configured; null if members are
 *     discovered
 */
public record Membership(List<String> seeds, @Nullable List<Member> neighbours) {
  /** The maximum number of members of a cluster. */
  public static final int MAX_MEMBERS = 10_000;

  public Membership {
    seeds = List.copyOf(seeds);
    neighbours = neighbours == null ? null : List.copyOf(neighbours);
  }

  /**
   * Returns a membership that is discovered from the seeds. {@link OverlayLimits} decides which
   * members link.
   */
  public static Membership discovered(List<String> seeds) {
    return new Membership(seeds, null);
  }

  /** Returns a membership with configured links: this node links with these neighbours only. */
  public static Membership configured(List<Member> neighbours) {
    return new Membership(List.of(), neighbours);
  }

  public boolean isConfigured() {
    return neighbours != null;
  }

  /** Returns the configured neighbours; empty if none are configured. */
  public List<Member> configuredNeighbours() {
    return neighbours == null ? List.of() : neighbours;
  }
}
