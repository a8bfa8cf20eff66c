package io.treecast.monitor.probe;

import io.treecast.monitor.weight.AllowedRange;
import java.time.Duration;

/**
 * The rate of probes, and the condition for a measured link. Immutable, and checked on
 * construction.
 *
 * @param initialProbes probes of the burst that measures a new link, 1 to {@value
 *     #MAX_INITIAL_PROBES}
 * @param samplesRequired replies needed for a measured link, 1 to {@code initialProbes}
 * @param initialInterval between probes of the burst, 1 ms to 1 min
 * @param steadyInterval between probes after the burst on a brisk link, {@code initialInterval} and
 *     at least {@value SilencePolicy#MIN_HEARTBEAT_MILLIS} ms, to 1 h; each end receives a message
 *     from the other at this interval, so it is the heartbeat of the link as well
 * @param replyTimeout after which a probe without reply counts as lost, 1 ms to 1 h; should exceed
 *     the longest round trip. A probe counts as lost earlier once {@value
 *     LinkProbe#REMEMBERED_PROBES} later ones were sent
 * @param windowSamples samples whose minimum is the round trip, 1 to {@value #MAX_WINDOW_SAMPLES}
 * @param measurementInterval interval at which that minimum is a measurement for forecasts, {@code
 *     steadyInterval} to 1 h; calm links are probed no more often
 * @param perSecond mean number of probes that the agent sends per second: twice those of one brisk
 *     link, rounded up, to {@value #MAX_PER_SECOND}. The calm links share the part that a brisk
 *     link leaves; see {@link ProbeTurns}
 */
public record ProbePolicy(
    int initialProbes,
    int samplesRequired,
    Duration initialInterval,
    Duration steadyInterval,
    Duration replyTimeout,
    int windowSamples,
    Duration measurementInterval,
    int perSecond) {

  /** The largest number of probes in the burst. */
  public static final int MAX_INITIAL_PROBES = 100;

  /** The largest number of samples in the window. */
  public static final int MAX_WINDOW_SAMPLES = 10_000;

  /** The shortest interval and timeout. */
  public static final Duration MIN_INTERVAL = Duration.ofMillis(1);

  /** The longest interval of the burst. */
  public static final Duration MAX_INITIAL_INTERVAL = Duration.ofMinutes(1);

  /** The longest interval of the steady schedule, and between measurements. */
  public static final Duration MAX_STEADY_INTERVAL = Duration.ofHours(1);

  /** The longest wait for a reply. */
  public static final Duration MAX_REPLY_TIMEOUT = Duration.ofHours(1);

  /** The largest number of probes per second. */
  public static final int MAX_PER_SECOND = 100_000;

  private static final int DEFAULT_PER_SECOND = 5;

  // Below the limits, because its own check reads them.
  /**
   * Ten probes in the first second, eight replies needed; then one every 500 ms on brisk links,
   * which is the heartbeat of {@link SilencePolicy#DEFAULT} as well, and five a second in all. The
   * minimum of five is a measurement, every 2.5 s. Round trips of up to 40 s are not losses.
   */
  public static final ProbePolicy DEFAULT =
      new ProbePolicy(
          10, 8, Duration.ofMillis(100), Duration.ofMillis(500), Duration.ofSeconds(40), 5);

  /**
   * Checks the components.
   *
   * @throws IllegalArgumentException naming the setting, its value and the allowed range
   */
  public ProbePolicy {
    AllowedRange.check("initialProbes", initialProbes, 1, MAX_INITIAL_PROBES);
    AllowedRange.check("samplesRequired", samplesRequired, 1, initialProbes);
    AllowedRange.check("initialInterval", initialInterval, MIN_INTERVAL, MAX_INITIAL_INTERVAL);
    AllowedRange.check(
        "steadyInterval",
        steadyInterval,
        leastSteadyInterval(initialInterval),
        MAX_STEADY_INTERVAL);
    AllowedRange.check("replyTimeout", replyTimeout, MIN_INTERVAL, MAX_REPLY_TIMEOUT);
    AllowedRange.check("windowSamples", windowSamples, 1, MAX_WINDOW_SAMPLES);
    AllowedRange.check(
        "measurementInterval", measurementInterval, steadyInterval, MAX_STEADY_INTERVAL);
    AllowedRange.check("perSecond", perSecond, leastPerSecond(steadyInterval), MAX_PER_SECOND);
  }

  /**
   * Creates a policy whose measurements use windows that do not overlap, with the usual number of
   * probes per second.
   */
  public ProbePolicy(
      int initialProbes,
      int samplesRequired,
      Duration initialInterval,
      Duration steadyInterval,
      Duration replyTimeout,
      int windowSamples) {
    this(
        initialProbes,
        samplesRequired,
        initialInterval,
        steadyInterval,
        replyTimeout,
        windowSamples,
        windowInterval(steadyInterval, windowSamples),
        usualPerSecond(steadyInterval));
  }

  /**
   * Returns this policy with a burst of at most {@code mostProbes} probes, one of which may be lost
   * if there are more.
   *
   * @param mostProbes at least 1
   */
  public ProbePolicy brief(int mostProbes) {
    int probes = Math.min(initialProbes, mostProbes);
    return new ProbePolicy(
        probes,
        Math.min(samplesRequired, Math.max(1, probes - 1)),
        initialInterval,
        steadyInterval,
        replyTimeout,
        windowSamples,
        measurementInterval,
        perSecond);
  }

  /** Returns the initial interval, or that of the fastest heartbeat if that is longer. */
  public static Duration leastSteadyInterval(Duration initialInterval) {
    Duration heartbeat = Duration.ofMillis(SilencePolicy.MIN_HEARTBEAT_MILLIS);
    return initialInterval.compareTo(heartbeat) > 0 ? initialInterval : heartbeat;
  }

  /** Returns twice the probes of one brisk link per second, rounded up. */
  public static int leastPerSecond(Duration steadyInterval) {
    long twoIntervals = 2 * Duration.ofSeconds(1).toNanos();
    return (int) ((twoIntervals - 1) / steadyInterval.toNanos()) + 1;
  }

  /** Returns five, or the least allowed number if that is higher. */
  public static int usualPerSecond(Duration steadyInterval) {
    return Math.max(DEFAULT_PER_SECOND, leastPerSecond(steadyInterval));
  }

  /** Returns the time in which a window of this many steady samples is renewed, an hour at most. */
  public static Duration windowInterval(Duration steadyInterval, int windowSamples) {
    Duration interval = steadyInterval.multipliedBy(Math.max(1, windowSamples));
    return interval.compareTo(MAX_STEADY_INTERVAL) < 0 ? interval : MAX_STEADY_INTERVAL;
  }
}
