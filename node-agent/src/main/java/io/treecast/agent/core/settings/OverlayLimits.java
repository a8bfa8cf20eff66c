package io.treecast.agent.core.settings;

import io.treecast.agent.core.message.Membership;
import java.time.Duration;

/**
 * The links that an agent has where members find each other. Immutable, and checked when made.
 *
 * @param fullMeshMembers clusters of up to this many members have all links, 1 to {@code maxLinks}
 * @param nearest beyond that, the number of links with members of least round trip, 1 to {@link
 *     #MAX_WANTED}
 * @param random and the number of links with members that a hash of both names determines, 1 to
 *     {@link #MAX_WANTED}
 * @param maxLinks most links of an agent; some places are kept for members that are in no tree with
 *     it, and some for trials. At least {@code 2 * (nearest + random)}, since others want links as
 *     well, at most {@value #MAX_LINKS}
 * @param trialInterval how often it links with another member to measure its round trip, {@link
 *     #MIN_TRIAL_INTERVAL} to {@link #MAX_TRIAL_INTERVAL}
 * @param shortcuts the most links beside the tree by which it sends small broadcasts of its own
 *     ahead of it, 0 to {@value #MAX_SHORTCUTS}
 */
public record OverlayLimits(
    int fullMeshMembers,
    int nearest,
    int random,
    int maxLinks,
    Duration trialInterval,
    int shortcuts) {
  /** Most links that may be allowed. */
  public static final int MAX_LINKS = Membership.MAX_MEMBERS;

  /** Most nearest, and most random members. */
  public static final int MAX_WANTED = MAX_LINKS / 4;

  /** Shortest interval of trials. */
  public static final Duration MIN_TRIAL_INTERVAL = Duration.ofSeconds(1);

  /** Longest interval of trials. */
  public static final Duration MAX_TRIAL_INTERVAL = Duration.ofHours(1);

  /** Most shortcuts. */
  public static final int MAX_SHORTCUTS = 8;

  /** One place in this many is free for strangers, and as many for trials. */
  private static final int FREE_DIVISOR = 10;

  // Below the limits, because its own check reads them.
  /** All links between 32 members; then 12 nearest and 4 others, and 40 at most. 3 shortcuts. */
  public static final OverlayLimits DEFAULT =
      new OverlayLimits(32, 12, 4, 40, Duration.ofSeconds(5), 3);

  /**
   * Checks the components.
   *
   * @throws IllegalArgumentException naming the setting, its value and the allowed ones
   */
  public OverlayLimits {
    check("nearest", nearest, 1, MAX_WANTED);
    check("random", random, 1, MAX_WANTED);
    check("maxLinks", maxLinks, 2L * (nearest + random), MAX_LINKS);
    check("fullMeshMembers", fullMeshMembers, 1, maxLinks);
    check(
        "trialIntervalMillis",
        trialInterval.toMillis(),
        MIN_TRIAL_INTERVAL.toMillis(),
        MAX_TRIAL_INTERVAL.toMillis());
    check("shortcuts", shortcuts, 0, MAX_SHORTCUTS);
  }

  private static void check(String setting, long value, long least, long most) {
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

  /** Returns how many links there may be before one with a member of the own tree is refused. */
  public int linksWithinTree() {
    return maxLinks - free();
  }

  /** Returns how many links stay although no end may want them: others may be tried then. */
  public int linksAtRest() {
    return linksWithinTree() - free();
  }

  private int free() {
    return Math.max(1, maxLinks / FREE_DIVISOR);
  }
}
