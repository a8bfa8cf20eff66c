package io.treecast.monitor.probe;

import java.time.Duration;
import java.util.Arrays;
import java.util.OptionalLong;

/**
 * Measures one link, at the end that owns its weight: decides when a probe is due, matches replies
 * by number, and reports when the link is measured, and its round trip. One instance for each
 * session of a link.
 *
 * <p>Probes never wait for replies, so a slow link is measured hardly later than a fast one, and
 * any number of probes may be under way: a link of 30 s has sixty with the default policy. First
 * comes the <em>burst</em>: {@code initialProbes} probes, one every {@code initialInterval}. Then
 * the <em>steady</em> schedule: one every {@code steadyInterval}, whether or not any is answered.
 * After the burst, the driver may set {@linkplain #nextAt another time} for the next probe. When
 * the burst has ended and {@code samplesRequired} probes were answered, the link is measured, for
 * good: a link of 700 ms within 1.7 s with the default policy. A driver that can afford the time
 * may {@linkplain #extendBurst extend} the burst of a measured link: at the start of a process
 * everything is slow, and the minimum of more samples is nearer to the truth. {@link #settled}
 * reports when no improvement is to be expected.
 *
 * <p>A probe without reply counts as lost after {@code replyTimeout}. A later reply is a true
 * measurement of a slow link, and a sample like any other, as long as the probe is among the latest
 * {@value #REMEMBERED_PROBES}.
 *
 * <p>Links do not fire together: each has its own phase, in the burst and in the steady schedule. A
 * driver that comes late (a paused JVM) skips the missed probes rather than sending them at once.
 *
 * <p>Single-threaded. Times are nanoseconds of any clock that does not run backwards, with any
 * origin; replies may carry the time of their arrival, before that of the latest {@link #tick}.
 */
public final class LinkProbe {
  /** The number of latest probes that can still be answered. */
  public static final int REMEMBERED_PROBES = 256;

  /** The number of consecutive samples without news after which the round trip is settled. */
  public static final int SETTLING_SAMPLES = 6;

  /** A minimum that falls by this part of it, and by the floor, is news. */
  private static final int NEWS_DIVISOR = 10;

  private static final long NEWS_FLOOR_NANOS = 250_000;

  /** A probe that leaves later than due by this part of the interval shows a busy process. */
  private static final int LATENESS_DIVISOR = 5;

  /** The number of settling samples where an end is late. */
  private static final int SETTLING_SAMPLES_IF_LATE = 3 * SETTLING_SAMPLES;

  /** The number of consecutive windows of longer round trips after which they count. */
  public static final int DISCARDED_WINDOWS = 8;

  /**
   * The ratio of real to measured lateness. A process that waits for a processor is later than it
   * measures: several of its threads wait one after the other, and it measures a wait only when it
   * has something to do.
   */
  private static final int LATENESS_FACTOR = 2;

  /** An excess of less than this part of the round trip, or than the floor, is irrelevant. */
  private static final int EXCESS_DIVISOR = 16;

  private static final long EXCESS_FLOOR_NANOS = 250_000;

  /** Longer round trips show a slower link only if this part of them is near to their minimum. */
  private static final int AGREEING_DIVISOR = 5;

  /** A round trip is near to the minimum if it exceeds it by this part of the slowdown at most. */
  private static final int NEAR_DIVISOR = 4;

  private static final long NO_FLOOR = -1;

  private static final byte AWAITED = 0;
  private static final byte ANSWERED = 1;
  private static final byte LOST = 2;

  private final ProbePolicy policy;
  private final LeastOfWindow latest;
  private final long initialIntervalNanos;
  private final long steadyIntervalNanos;
  private final long replyTimeoutNanos;
  private final long steadyPhaseNanos;

  private final long[] sentNanos = new long[REMEMBERED_PROBES];

  /** The interval after which the next probe was due. */
  private final long[] intervalNanos = new long[REMEMBERED_PROBES];

  private final byte[] outcome = new byte[REMEMBERED_PROBES];

  /** Numbers start at 1; every probe below this one was answered or has timed out. */
  private long oldestAwaited = 1;

  private long lastNumber;
  private long nextProbeNanos;
  private int awaited;
  private long samples;
  private long lost;
  private boolean measured;

  /** The number of the burst's last probe. */
  private long lastOfBurst;

  private final LeastOfWindow recentLeast;
  private long latestNanos;

  /** The least sample that was news, and the samples since. */
  private long settledNanos = Long.MAX_VALUE;

  private int samplesWithoutNews;

  /** Whether the ends were recently so late that their lateness may hide news. */
  private boolean endsAreLate;

  private final int mostLongerInRow;

  /** Longer round trips that end within this time count once. */
  private final long sameTimeNanos;

  private long answered;
  private long discarded;

  /**
   * The latest consecutive round trips that were longer than the samples before, discarded or not:
   * the least of those that ended at about the same time.
   */
  private final long[] longerNanos;

  private int longerInRow;

  /** The end of the first of the latest ones. */
  private long longerSinceNanos;

  /**
   * Creates the measurement of a link.
   *
   * @param policy the probing policy
   * @param phase how far this link's probes lie behind those of a link of phase zero that came up
   *     at the same time; not negative. Taken modulo the interval of each of the two schedules, so
   *     phases that are spread over {@code steadyInterval}, and are not multiples of {@code
   *     initialInterval}, keep links apart in both
   * @param nowNanos the time when the link came up
   */
  public LinkProbe(ProbePolicy policy, Duration phase, long nowNanos) {
    if (phase.isNegative()) {
      throw new IllegalArgumentException("phase is " + phase + "; the least is PT0S");
    }
    this.policy = policy;
    this.latest = new LeastOfWindow(policy.windowSamples());
    this.mostLongerInRow = DISCARDED_WINDOWS * policy.windowSamples();
    this.longerNanos = new long[mostLongerInRow];
    this.sameTimeNanos = policy.steadyInterval().toNanos() * 3 / 4;
    this.initialIntervalNanos = policy.initialInterval().toNanos();
    this.steadyIntervalNanos = policy.steadyInterval().toNanos();
    this.replyTimeoutNanos = policy.replyTimeout().toNanos();
    this.lastOfBurst = policy.initialProbes();
    this.recentLeast = new LeastOfWindow(Math.max(policy.initialProbes(), policy.windowSamples()));
    this.steadyPhaseNanos = nowNanos + phase.toNanos() % steadyIntervalNanos;
    this.nextProbeNanos = nowNanos + phase.toNanos() % initialIntervalNanos;
  }

  /** Returns when {@link #tick} next has something to do. */
  public long nextDeadlineNanos() {
    long timeoutNanos = sentNanos[slot(oldestAwaited)] + replyTimeoutNanos;
    return awaited > 0 && timeoutNanos - nextProbeNanos < 0 ? timeoutNanos : nextProbeNanos;
  }

  /**
   * Advances time: counts overdue probes as lost, and decides whether to send one.
   *
   * @return the number of the probe to send now, counted from 1; empty if none is due
   */
  public OptionalLong tick(long nowNanos) {
    expireOverdue(nowNanos);
    if (nowNanos - nextProbeNanos < 0) {
      return OptionalLong.empty();
    }
    // Where lateness is known, settling requires more samples instead.
    if (!endsAreLate && nowNanos - nextProbeNanos > initialIntervalNanos / LATENESS_DIVISOR) {
      samplesWithoutNews = 0;
    }
    long number = ++lastNumber;
    if (awaited > 0 && oldestAwaited == number - REMEMBERED_PROBES) {
      expireOldest();
    }
    sentNanos[slot(number)] = nowNanos;
    outcome[slot(number)] = AWAITED;
    awaited++;
    nextAt(
        number < lastOfBurst
            ? following(nextProbeNanos, initialIntervalNanos, nowNanos)
            : following(steadyPhaseNanos, steadyIntervalNanos, nowNanos));
    checkMeasured();
    return OptionalLong.of(number);
  }

  /** Sets the time of the next probe, independently of the schedules. */
  public void nextAt(long nanos) {
    nextProbeNanos = nanos;
    int slot = slot(lastNumber);
    intervalNanos[slot] = Math.max(0, nanos - sentNanos[slot]);
  }

  /** Returns when the next probe is due. */
  public long nextProbeNanos() {
    return nextProbeNanos;
  }

  /** Returns whether the burst has ended, so that the driver may set the times of probes. */
  public boolean isBurstOver() {
    return lastNumber >= lastOfBurst;
  }

  /** Returns whether the burst has ended and the link is measured. */
  public boolean isSteady() {
    return measured && isBurstOver();
  }

  /**
   * Returns how long after a probe the next one was due.
   *
   * @param number number of the probe
   * @return the interval in nanoseconds; {@code steadyInterval} for a number that was not sent or
   *     is no longer remembered
   */
  public long intervalAfterNanos(long number) {
    return isRemembered(number) ? intervalNanos[slot(number)] : steadyIntervalNanos;
  }

  private boolean isRemembered(long number) {
    return number >= 1 && number <= lastNumber && number > lastNumber - REMEMBERED_PROBES;
  }

  /**
   * Continues the burst of a measured link.
   *
   * @param probes number of further probes, at least 1
   */
  public void extendBurst(int probes, long nowNanos) {
    if (measured) {
      lastOfBurst = lastNumber + probes;
      nextProbeNanos = nowNanos + initialIntervalNanos;
    }
  }

  /** Ends a burst that was extended. */
  public void endBurst(long nowNanos) {
    if (measured && lastNumber < lastOfBurst) {
      lastOfBurst = lastNumber;
      nextProbeNanos = following(steadyPhaseNanos, steadyIntervalNanos, nowNanos);
    }
  }

  /** Takes in a reply where neither end was late, as {@link #replied(long, long, long, long)}. */
  public boolean replied(long number, long arrivedNanos) {
    return replied(number, arrivedNanos, 0, 0);
  }

  /**
   * Takes in a reply.
   *
   * @param number the number that the reply names
   * @param arrivedNanos arrival of the reply
   * @param heldNanos how long the other end held the probe before it replied
   * @param lateNanos sum of the greatest recent lateness of both ends
   * @return whether it became a sample; false for a number that was not sent, is no longer
   *     remembered, or was answered before, and for a round trip that is discarded
   */
  public boolean replied(long number, long arrivedNanos, long heldNanos, long lateNanos) {
    if (!isRemembered(number)) {
      return false;
    }
    int slot = slot(number);
    long rttNanos = arrivedNanos - sentNanos[slot] - heldNanos;
    if (outcome[slot] == ANSWERED || rttNanos < 0) {
      return false;
    }
    if (outcome[slot] != LOST) {
      awaited--;
    }
    outcome[slot] = ANSWERED;
    skipSettled();
    return sampled(rttNanos, lateNanos, arrivedNanos);
  }

  /** Takes in a round trip that ended at the time of the latest probe. */
  boolean sampled(long rttNanos, long lateNanos) {
    return sampled(rttNanos, lateNanos, sentNanos[slot(lastNumber)]);
  }

  /**
   * Takes in a round trip that was measured in another way.
   *
   * <p>A round trip that is longer than the minimum of the latest samples is discarded if the
   * lateness of the ends explains the difference. It then counts as a repetition of that minimum,
   * because the link may be no slower than before. Otherwise only those round trips would count
   * that are too long to be explained. A shorter one always counts, because lateness never makes a
   * round trip shorter.
   *
   * <p>When {@value #DISCARDED_WINDOWS} consecutive windows of round trips were longer, and a part
   * of them agrees on their minimum, that minimum replaces the latest samples: the link has become
   * slower. Round trips that end at about the same time count once, since a burst, or messages that
   * have waited for a process that stood still, show only that the ends were late. So does a
   * minimum that few round trips are near to: it is the least of random waits, where ends lack a
   * processor all the time.
   *
   * @param rttNanos at least 0
   * @param lateNanos sum of the greatest recent lateness of both ends
   * @param arrivedNanos the end of the round trip
   * @return whether it became a sample; false if it is discarded
   */
  public boolean sampled(long rttNanos, long lateNanos, long arrivedNanos) {
    answered++;
    long mostAddedNanos = LATENESS_FACTOR * lateNanos;
    checkNews(rttNanos, mostAddedNanos);
    long leastNanos = samples == 0 ? rttNanos : latest.rttNanos();
    long excessNanos = rttNanos - leastNanos;
    boolean isLonger = excessNanos > Math.max(EXCESS_FLOOR_NANOS, leastNanos / EXCESS_DIVISOR);
    boolean isExplained = isLonger && excessNanos <= mostAddedNanos;
    countLonger(isLonger, rttNanos, arrivedNanos);
    long sampleNanos = rttNanos;
    if (isExplained) {
      discarded++;
      long floorNanos = floorNanos(leastNanos);
      if (floorNanos == NO_FLOOR) {
        latest.add(leastNanos);
        recentLeast.add(leastNanos);
        checkMeasured();
        return false;
      }
      sampleNanos = floorNanos;
      recentLeast.clear();
      latest.clear();
      longerInRow = 0;
    }
    samples++;
    latestNanos = sampleNanos;
    recentLeast.add(sampleNanos);
    latest.add(sampleNanos);
    checkMeasured();
    return true;
  }

  private void countLonger(boolean isLonger, long rttNanos, long arrivedNanos) {
    if (!isLonger) {
      longerInRow = 0;
    } else if (longerInRow > 0 && arrivedNanos - longerSinceNanos < sameTimeNanos) {
      int latest = (longerInRow - 1) % mostLongerInRow;
      longerNanos[latest] = Math.min(longerNanos[latest], rttNanos);
    } else {
      longerSinceNanos = arrivedNanos;
      longerNanos[longerInRow++ % mostLongerInRow] = rttNanos;
    }
  }

  /**
   * Returns the minimum of the latest longer round trips, if there are many in a row, and enough of
   * them are near to it.
   *
   * @param leastNanos the minimum of the samples before
   * @return {@link #NO_FLOOR} if they are too few
   */
  private long floorNanos(long leastNanos) {
    if (longerInRow < mostLongerInRow) {
      return NO_FLOOR;
    }
    long floorNanos = Arrays.stream(longerNanos).min().orElseThrow();
    long nearNanos =
        floorNanos + Math.max(EXCESS_FLOOR_NANOS, (floorNanos - leastNanos) / NEAR_DIVISOR);
    long near = Arrays.stream(longerNanos).filter(nanos -> nanos <= nearNanos).count();
    return near * AGREEING_DIVISOR >= mostLongerInRow ? floorNanos : NO_FLOOR;
  }

  /** Returns whether the burst has ended and enough probes were answered; stays true. */
  public boolean measured() {
    return measured;
  }

  /**
   * Returns whether the link is measured, and more samples are unlikely to shorten its round trip
   * much: the latest {@value #SETTLING_SAMPLES} did not, and this process was in time with its
   * probes; or three times as many did not, where an end was recently late.
   */
  public boolean settled() {
    int required = endsAreLate ? SETTLING_SAMPLES_IF_LATE : SETTLING_SAMPLES;
    return measured && samplesWithoutNews >= required;
  }

  private void checkNews(long rttNanos, long mostAddedNanos) {
    endsAreLate = mostAddedNanos > Math.max(NEWS_FLOOR_NANOS, rttNanos / NEWS_DIVISOR);
    long lessNanos = settledNanos - rttNanos;
    if (lessNanos > Math.max(NEWS_FLOOR_NANOS, settledNanos / NEWS_DIVISOR)) {
      settledNanos = rttNanos;
      samplesWithoutNews = 0;
    } else {
      samplesWithoutNews++;
    }
  }

  /**
   * Returns the round-trip time in whole microseconds, at least 1: the minimum of the window of
   * latest samples. 0 before the first sample.
   */
  public long rttMicros() {
    return samples == 0 ? 0 : rounded(latest.rttNanos());
  }

  /**
   * Returns the minimum of the recent samples, as many as the burst or the window has, whichever is
   * more; rounded as {@link #rttMicros} is. 0 before the first sample.
   */
  public long rttMinMicros() {
    return samples == 0 ? 0 : rounded(recentLeast.rttNanos());
  }

  /** Returns the latest sample, rounded as {@link #rttMicros} is. 0 before the first sample. */
  public long rttLastMicros() {
    return samples == 0 ? 0 : rounded(latestNanos);
  }

  /** Returns the latest sample in nanoseconds; 0 before the first. */
  public long rttLastNanos() {
    return latestNanos;
  }

  /** Returns the number of round trips that were discarded because an end was late. */
  public long discarded() {
    return discarded;
  }

  /** Returns the number of probes sent. */
  public long probesSent() {
    return lastNumber;
  }

  /**
   * Returns the number of probes without a reply in time; one that is answered later still counts.
   */
  public long probesLost() {
    return lost;
  }

  private void checkMeasured() {
    measured |= lastNumber >= policy.initialProbes() && answered >= policy.samplesRequired();
  }

  /**
   * Probes leave in the order of their numbers and have one timeout, so the oldest expires first.
   */
  private void expireOverdue(long nowNanos) {
    while (awaited > 0 && nowNanos - sentNanos[slot(oldestAwaited)] >= replyTimeoutNanos) {
      expireOldest();
    }
  }

  private void expireOldest() {
    outcome[slot(oldestAwaited)] = LOST;
    awaited--;
    lost++;
    skipSettled();
  }

  private void skipSettled() {
    while (oldestAwaited <= lastNumber && outcome[slot(oldestAwaited)] != AWAITED) {
      oldestAwaited++;
    }
  }

  /**
   * The first time after {@code nowNanos} that is a multiple of the interval behind {@code
   * baseNanos}.
   */
  private static long following(long baseNanos, long intervalNanos, long nowNanos) {
    long passedNanos = nowNanos - baseNanos;
    return passedNanos < 0
        ? baseNanos
        : baseNanos + (passedNanos / intervalNanos + 1) * intervalNanos;
  }

  private static long rounded(long rttNanos) {
    return Math.max(1, (rttNanos + 500) / 1000);
  }

  private static int slot(long number) {
    return (int) (number % REMEMBERED_PROBES);
  }
}
