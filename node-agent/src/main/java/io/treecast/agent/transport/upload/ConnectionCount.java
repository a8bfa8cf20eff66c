package io.treecast.agent.transport.upload;

/**
 * The number of connections over which the uploads of a data stream are spread. On a long link it
 * starts with several, since a connection carries at most a socket buffer in a round trip and slows
 * down with each lost packet; on other links with one.
 *
 * <p>While there is always something to send, a trial with twice or half as many connections runs
 * now and then. A larger number stays if it carries a seventh more, a smaller number if it carries
 * about as much. Trials that change nothing become rarer.
 *
 * <p>Owned by the agent's loop.
 */
public final class ConnectionCount {
  /** The maximum number. */
  public static final int MOST = 8;

  /** The initial number on a long link. */
  public static final int ON_LONG_LINK = 4;

  /** A link is long if its round trip is at least this. */
  static final long LONG_NANOS = 10_000_000;

  /** The least duration of a measurement, which also takes some round trips. */
  static final long MEASURED_NANOS = 500_000_000;

  private static final int MEASURED_ROUND_TRIPS = 4;

  /** The time between two trials, which doubles after each trial in vain. */
  static final long FIRST_PAUSE_NANOS = 2_000_000_000L;

  static final long LONGEST_PAUSE_NANOS = 600_000_000_000L;

  private static final double WORTH_MORE = 1.15;
  private static final double AS_MUCH = 0.95;

  private int count = 1;
  private int paths = 1;
  private int least = 1;
  private boolean isLong;
  private boolean chosen;
  private long measuredNanos = MEASURED_NANOS;

  // The measurement under way.
  private long begunNanos = Long.MIN_VALUE;
  private long carriedBytes;
  private boolean skipped;

  // The trial under way.
  private double rateBefore;
  private int countBefore;

  /** Whether the last trial used more connections. The first uses fewer. */
  private boolean lastTriedMore = true;

  private long pauseNanos = FIRST_PAUSE_NANOS;
  private long nextTrialNanos = Long.MIN_VALUE;

  /** Sets the link's round trip, when it becomes known. */
  void roundTrip(long nanos) {
    isLong = nanos >= LONG_NANOS;
    measuredNanos = Math.max(MEASURED_NANOS, MEASURED_ROUND_TRIPS * nanos);
    if (!chosen) {
      count = Math.max(least, isLong ? ON_LONG_LINK : 1);
    }
  }

  /** Sets the number of paths to the other end; each has at least one connection. */
  void spread(int paths) {
    this.paths = paths;
    least = Math.min(MOST, paths);
    count = Math.max(count, least);
  }

  /** Returns the number of paths to the other end. */
  int paths() {
    return paths;
  }

  /** Returns the number of connections to use. */
  int count() {
    return count;
  }

  /** Notes that uploads begin, which fixes the initial number. */
  void begins() {
    chosen = true;
  }

  /** Discards the measurement: nothing could be sent for lack of data or credit. */
  void idle() {
    begunNanos = Long.MIN_VALUE;
  }

  /**
   * Notes bytes that the other end has consumed.
   *
   * @param joined the number of present connections
   * @return whether the number of connections to use has changed
   */
  boolean carried(long bytes, int joined, long nowNanos) {
    if (joined < count) {
      return false; // Further connections are being opened.
    }
    if (begunNanos == Long.MIN_VALUE) {
      begin(nowNanos);
      return false;
    }
    carriedBytes += bytes;
    if (nowNanos - begunNanos < measuredNanos) {
      return false;
    }
    if (!skipped) {
      begin(nowNanos); // The first measurement has bytes of the previous number.
      skipped = true;
      return false;
    }
    double rate = (double) carriedBytes / (nowNanos - begunNanos);
    begin(nowNanos);
    if (countBefore > 0) {
      return judge(rate, nowNanos);
    }
    if (nextTrialNanos == Long.MIN_VALUE) {
      nextTrialNanos = nowNanos + pauseNanos;
    }
    return nowNanos >= nextTrialNanos && tryAnother(rate);
  }

  private void begin(long nowNanos) {
    begunNanos = nowNanos;
    carriedBytes = 0;
  }

  private boolean tryAnother(double rate) {
    boolean more = count == least || (!lastTriedMore && count < MOST);
    lastTriedMore = more;
    rateBefore = rate;
    countBefore = count;
    return use(more ? Math.min(MOST, 2 * count) : Math.max(least, count / 2));
  }

  private boolean use(int another) {
    count = another;
    skipped = false;
    return true;
  }

  private boolean judge(double rate, long nowNanos) {
    boolean gains = rate >= rateBefore * (count > countBefore ? WORTH_MORE : AS_MUCH);
    int before = countBefore;
    countBefore = 0;
    pauseNanos = gains ? FIRST_PAUSE_NANOS : Math.min(LONGEST_PAUSE_NANOS, 2 * pauseNanos);
    nextTrialNanos = nowNanos + pauseNanos;
    return !gains && use(before);
  }
}
