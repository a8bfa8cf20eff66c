package io.treecast.agent.core.settings;

import io.treecast.agent.core.message.Membership;
import java.time.Duration;

/**
 * Limits of an agent's links in a cluster whose members are discovered. Immutable; the constructor
 * checks the values.
 *
 * @param fullMeshMembers the maximum number of members up to which all links exist, 1 to {@code
 *     maxLinks}
 * @param nearest in larger clusters, the number of links with the members of least round trip, 1 to
 *     {@link #MAX_WANTED}
 * @param random in larger clusters, the number of links with members that a hash of both ids
 *     selects, 1 to {@link #MAX_WANTED}
 * @param maxLinks the maximum number of links of an agent. Some of them are reserved for members
 *     outside of its tree, and some for trials. At least {@code 2 * (nearest + random)}, since
 *     other members want links as well; at most {@value #MAX_LINKS}
 * @param trialInterval the interval at which it links with another member to measure the round
 *     trip, {@link #MIN_TRIAL_INTERVAL} to {@link #MAX_TRIAL_INTERVAL}
 * @param shortcuts the maximum number of links beside the tree on which it sends copies of its own
 *     small broadcasts ahead of the tree, 0 to {@value #MAX_SHORTCUTS}
 */
public record OverlayLimits(
    int fullMeshMembers,
    int nearest,
    int random,
    int maxLinks,
    Duration trialInterval,
    int shortcuts) {
  /** The highest allowed {@code maxLinks}. */
  public static final int MAX_LINKS = Membership.MAX_MEMBERS;

  /** The highest allowed {@code nearest} and {@code random}. */
  public static final int MAX_WANTED = MAX_LINKS / 4;

  /** The shortest allowed {@code trialInterval}. */
  public static final Duration MIN_TRIAL_INTERVAL = Duration.ofSeconds(1);

  /** The longest allowed {@code trialInterval}. */
  public static final Duration MAX_TRIAL_INTERVAL = Duration.ofHours(1);

  /** The highest allowed {@code shortcuts}. */
  public static final int MAX_SHORTCUTS = 8;

  /**
   * One link in this many is reserved for members outside of the tree, and one in this many for
   * trials.
   */
  private static final int FREE_DIVISOR = 10;

  // Declared after the limits above, which its constructor reads.
  /**
   * The default: a full mesh of up to 32 members; beyond that 12 nearest and 4 random members, 40
   * links at most. 3 shortcuts.
   */
  public static final OverlayLimits DEFAULT =
      new OverlayLimits(32, 12, 4, 40, Duration.ofSeconds(5), 3);

  /**
   * Checks the components.
   *
   * @throws IllegalArgumentException if a value is not allowed; the message names the setting, the
   *     value and the allowed range
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
          "overlay.%s: %s is not allowed; allowed is %s to %s"
              .formatted(setting, value, least, most));
    }
  }

  /**
   * Returns the number of links from which on a link with a member of this agent's tree is refused.
   */
  public int linksWithinTree() {
    return maxLinks - free();
  }

  /**
   * Returns the number of links that may stay open although neither end wants them. The remaining
   * ones are free for trials.
   */
  public int linksAtRest() {
    return linksWithinTree() - free();
  }

  private int free() {
    return Math.max(1, maxLinks / FREE_DIVISOR);
  }
}
