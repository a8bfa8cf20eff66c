package io.treecast.monitor;

import java.time.Duration;

/**
 * How often a link is probed and when it counts as measured. Immutable, and checked when made.
 *
 * @param initialProbes probes of the burst that measures a new link, 1 to {@value
 *     #MAX_INITIAL_PROBES}
 * @param samplesRequired replies without which the link is not measured, 1 to {@code initialProbes}
 * @param initialInterval between probes of the burst, 1 ms to 1 min
 * @param steadyInterval between probes of a measured link, {@code initialInterval} to 1 h
 * @param replyTimeout after which a probe without reply counts as lost, 1 ms to {@value
 *     #MAX_STEADY_PROBES_AWAITED} steady intervals
 * @param windowSamples latest samples that the estimate is made of, 1 to {@value
 *     #MAX_WINDOW_SAMPLES}
 */
public record ProbePolicy(
    int initialProbes,
    int samplesRequired,
    Duration initialInterval,
    Duration steadyInterval,
    Duration replyTimeout,
    int windowSamples) {

  /** Most probes in the burst. */
  public static final int MAX_INITIAL_PROBES = 100;

  /** Most probes of the steady schedule that wait for their replies at the same time. */
  public static final int MAX_STEADY_PROBES_AWAITED = 100;

  /** Most samples in the window. */
  public static final int MAX_WINDOW_SAMPLES = 10_000;

  /** Shortest interval and timeout. */
  public static final Duration MIN_INTERVAL = Duration.ofMillis(1);

  /** Longest interval of the burst. */
  public static final Duration MAX_INITIAL_INTERVAL = Duration.ofMinutes(1);

  /** Longest interval of the steady schedule. */
  public static final Duration MAX_STEADY_INTERVAL = Duration.ofHours(1);

  // Below the limits, because its own check reads them.
  /** Ten probes in the first second, eight replies needed; then one every five seconds. */
  public static final ProbePolicy DEFAULT =
      new ProbePolicy(
          10, 8, Duration.ofMillis(100), Duration.ofSeconds(5), Duration.ofSeconds(5), 50);

  /**
   * Checks the components.
   *
   * @throws IllegalArgumentException naming the setting, its value and what is allowed
   */
  public ProbePolicy {
    check("initialProbes", initialProbes, 1, MAX_INITIAL_PROBES);
    check("samplesRequired", samplesRequired, 1, initialProbes);
    check("initialInterval", initialInterval, MIN_INTERVAL, MAX_INITIAL_INTERVAL);
    check("steadyInterval", steadyInterval, initialInterval, MAX_STEADY_INTERVAL);
    check(
        "replyTimeout",
        replyTimeout,
        MIN_INTERVAL,
        steadyInterval.multipliedBy(MAX_STEADY_PROBES_AWAITED));
    check("windowSamples", windowSamples, 1, MAX_WINDOW_SAMPLES);
  }

  private static void check(String setting, int value, int least, int most) {
    if (value < least || value > most) {
      throw outside(setting, value, least, most);
    }
  }

  private static void check(String setting, Duration value, Duration least, Duration most) {
    if (value.compareTo(least) < 0 || value.compareTo(most) > 0) {
      throw outside(setting, value, least, most);
    }
  }

  private static IllegalArgumentException outside(
      String setting, Object value, Object least, Object most) {
    return new IllegalArgumentException(
        setting + " is " + value + "; allowed is " + least + " to " + most);
  }
}
