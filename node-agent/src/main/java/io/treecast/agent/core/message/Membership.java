package io.treecast.agent.core.message;

import io.treecast.agent.core.settings.OverlayLimits;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The members that this agent links with.
 *
 * @param seeds addresses to ask for the other members
 * @param neighbours the only nodes to link with, where the links are configured; null where members
 *     find each other
 */
public record Membership(List<String> seeds, @Nullable List<Member> neighbours) {
  /** Most members of one cluster. */
  public static final int MAX_MEMBERS = 10_000;

  public Membership {
    seeds = List.copyOf(seeds);
    neighbours = neighbours == null ? null : List.copyOf(neighbours);
  }

  /**
   * Returns a membership of members that find each other from the seeds; {@link OverlayLimits}
   * decides which of them link.
   */
  public static Membership discovered(List<String> seeds) {
    return new Membership(seeds, null);
  }

  /** Returns a membership of configured links: this node has these neighbours and no others. */
  public static Membership configured(List<Member> neighbours) {
    return new Membership(List.of(), neighbours);
  }

  public boolean isConfigured() {
    return neighbours != null;
  }

  /** Returns the configured neighbours; empty where none are. */
  public List<Member> configuredNeighbours() {
    return neighbours == null ? List.of() : neighbours;
  }
}
