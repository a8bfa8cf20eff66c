package io.treecast.monitor.probe;

import io.treecast.monitor.weight.AllowedRange;
import java.time.Duration;

/**
 * The rule for when a link without arrivals counts as silent. Immutable, and checked on
 * construction.
 *
 * <p>The settings trade the time to notice a failure against false verdicts:
 *
 * <ul>
 *   <li>{@code minThreshold} decides on a punctual link. The other end may pause for {@code
 *       minThreshold - heartbeatInterval} without a verdict, at any phase of the heartbeat; a cut
 *       is noticed {@code minThreshold} and half a round trip after it at the latest. The default
 *       of 2.6 s tolerates pauses of 2 s and notices a cut of a link of 700 ms within 2.95 s.
 *   <li>{@code stretch} and {@code maxThreshold} decide on a lossy link. A stream that retransmits
 *       with doubling timeouts stalls for 63 timeouts where six losses follow each other; at 20 %
 *       loss and two messages a second that is about once in two hours in each direction. That is
 *       13 s on a local link and 57 s at a round trip of 700 ms. With the defaults the threshold
 *       settles near 20 s on the former and 60 s on the latter, and an end gives 0.04 to 0.2 false
 *       verdicts an hour. The price is that a failure of such a link is noticed only after that
 *       time.
 *   <li>{@code memory} decides how soon past lateness is forgotten: with the defaults the threshold
 *       is below 3 s again four minutes after such loss ends. A shorter memory holds too little
 *       information about the link.
 * </ul>
 *
 * @param heartbeatInterval within which something arrives at each end of a punctual link, {@value
 *     #MIN_HEARTBEAT_MILLIS} ms to 1 h: the steady interval of the probes
 * @param minThreshold silence after which a punctual link is silent, 2 heartbeat intervals to 24 h
 * @param maxThreshold silence after which any link is silent, {@code minThreshold} to 24 h
 * @param memory time constant with which past lateness is forgotten, 10 heartbeat intervals to 7
 *     days
 * @param stretch the addition to the threshold for a link that is late all the time; a link that is
 *     late for a tenth of the time gets about a tenth of it; 0 to 24 h
 */
public record SilencePolicy(
    Duration heartbeatInterval,
    Duration minThreshold,
    Duration maxThreshold,
    Duration memory,
    Duration stretch) {

  /** Shortest heartbeat interval, in milliseconds. */
  public static final long MIN_HEARTBEAT_MILLIS = 10;

  /** Longest heartbeat interval. */
  public static final Duration MAX_HEARTBEAT_INTERVAL = Duration.ofHours(1);

  /** Longest threshold and stretch. */
  public static final Duration MAX_THRESHOLD = Duration.ofHours(24);

  /** Longest memory. */
  public static final Duration MAX_MEMORY = Duration.ofDays(7);

  /** Fewest heartbeat intervals that the least threshold spans. */
  public static final int MIN_THRESHOLD_HEARTBEATS = 2;

  /** Fewest heartbeat intervals that the memory spans. */
  public static final int MIN_MEMORY_HEARTBEATS = 10;

  /** The pause that policies of {@link #forHeartbeat} tolerate: 2 s, and a tenth for the jitter. */
  private static final Duration BORNE_PAUSE = Duration.ofMillis(2_100);

  private static final Duration DEFAULT_MAX_THRESHOLD = Duration.ofSeconds(60);
  private static final Duration DEFAULT_STRETCH = Duration.ofSeconds(250);
  private static final int DEFAULT_MEMORY_HEARTBEATS = 120;

  // Below the limits, because its own check reads them.
  /** A heartbeat every 500 ms; silent after 2.6 s, on a late link after up to a minute. */
  public static final SilencePolicy DEFAULT = forHeartbeat(Duration.ofMillis(500));

  /**
   * A policy for another heartbeat that tolerates the same pauses and, where the heartbeat allows
   * it, is as quick.
   *
   * @param heartbeatInterval as in the policy
   */
  public static SilencePolicy forHeartbeat(Duration heartbeatInterval) {
    Duration minThreshold =
        longer(
            heartbeatInterval.plus(BORNE_PAUSE),
            heartbeatInterval.multipliedBy(MIN_THRESHOLD_HEARTBEATS));
    return new SilencePolicy(
        heartbeatInterval,
        minThreshold,
        longer(DEFAULT_MAX_THRESHOLD, minThreshold),
        heartbeatInterval.multipliedBy(DEFAULT_MEMORY_HEARTBEATS),
        DEFAULT_STRETCH);
  }

  /**
   * Checks the components.
   *
   * @throws IllegalArgumentException naming the setting, its value and what is allowed
   */
  public SilencePolicy {
    AllowedRange.check(
        "heartbeatInterval",
        heartbeatInterval,
        Duration.ofMillis(MIN_HEARTBEAT_MILLIS),
        MAX_HEARTBEAT_INTERVAL);
    AllowedRange.check(
        "minThreshold",
        minThreshold,
        heartbeatInterval.multipliedBy(MIN_THRESHOLD_HEARTBEATS),
        MAX_THRESHOLD);
    AllowedRange.check("maxThreshold", maxThreshold, minThreshold, MAX_THRESHOLD);
    AllowedRange.check(
        "memory", memory, heartbeatInterval.multipliedBy(MIN_MEMORY_HEARTBEATS), MAX_MEMORY);
    AllowedRange.check("stretch", stretch, Duration.ZERO, MAX_THRESHOLD);
  }

  private static Duration longer(Duration one, Duration other) {
    return one.compareTo(other) > 0 ? one : other;
  }
}
