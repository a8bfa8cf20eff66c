package io.treecast.agent.core;

/**
 * Which links an agent has where members find each other. Immutable, and checked when made.
 *
 * @param fullMeshMembers clusters of up to so many members have all links, 1 to {@code maxLinks}
 * @param nearest beyond that, each agent keeps links with so many members of least round trip, 1 to
 *     {@link #MAX_WANTED}
 * @param random and with so many that its name and theirs determine, 1 to {@link #MAX_WANTED}
 * @param maxLinks most links of an agent; some places are kept for members that are in no tree with
 *     it. At least {@code 2 * (nearest + random)}, which others want as well, at most {@value
 *     #MAX_LINKS}
 */
public record OverlayLimits(int fullMeshMembers, int nearest, int random, int maxLinks) {
  /** Most links that may be allowed. */
  public static final int MAX_LINKS = Membership.MAX_MEMBERS;

  /** Most nearest, and most random members. */
  public static final int MAX_WANTED = MAX_LINKS / 4;

  /** One place in so many is kept for strangers. */
  private static final int STRANGERS_DIVISOR = 10;

  // Below the limits, because its own check reads them.
  /** All links between 32 members; then 12 nearest and 4 others, and 40 at most. */
  public static final OverlayLimits DEFAULT = new OverlayLimits(32, 12, 4, 40);

  /**
   * Checks the components.
   *
   * @throws IllegalArgumentException naming the setting, its value and what is allowed
   */
  public OverlayLimits {
    check("nearest", nearest, 1, MAX_WANTED);
    check("random", random, 1, MAX_WANTED);
    check("maxLinks", maxLinks, 2 * (nearest + random), MAX_LINKS);
    check("fullMeshMembers", fullMeshMembers, 1, maxLinks);
  }

  private static void check(String setting, int value, int least, int most) {
    if (value < least || value > most) {
      throw new IllegalArgumentException(
          "overlay."
              + setting
              + ": "
              + value
              + " is not allowed; allowed is "
              + least
              + " to "
              + most);
    }
  }

  /** How many links there may be before one with a member of the own tree is refused. */
  int linksWithinTree() {
    return maxLinks - Math.max(1, maxLinks / STRANGERS_DIVISOR);
  }
}
