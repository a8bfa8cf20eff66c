package io.treecast.agent.transport.connection;

/**
 * Over how many connections the uploads of a data stream are spread: over several on a long link,
 * since each carries no more in a round trip than a socket buffer holds, and loses speed with each
 * packet; over one elsewhere. From then on by what it gains: while there is always something to
 * send, every now and then twice as many are tried, or half as many. More stay if they carry a
 * seventh more, fewer if they carry as much. Trials that change nothing become rare.
 *
 * <p>Owned by the agent's loop.
 */
public final class ConnectionCount {
  /** So many at most. */
  public static final int MOST = 8;

  /** On a long link, from the start. */
  public static final int ON_LONG_LINK = 4;

  /** A link is long if its round trip is at least this. */
  static final long LONG_NANOS = 10_000_000;

  /** A rate is measured for so long, or for some round trips. */
  static final long MEASURED_NANOS = 500_000_000;

  private static final int MEASURED_ROUND_TRIPS = 4;

  /**
   * A trial follows another one after so long, and after twice as long each time it was in vain.
   */
  static final long FIRST_PAUSE_NANOS = 2_000_000_000L;

  static final long LONGEST_PAUSE_NANOS = 600_000_000_000L;

  private static final double WORTH_MORE = 1.15;
  private static final double AS_MUCH = 0.95;

  private int count = 1;
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

  /** The first trial is with fewer: each that gains nothing fills queues in the network. */
  private boolean lastTriedMore = true;

  private long pauseNanos = FIRST_PAUSE_NANOS;
  private long nextTrialNanos = Long.MIN_VALUE;

  /** The link's round trip, as far as it is known. */
  void roundTrip(long nanos) {
    isLong = nanos >= LONG_NANOS;
    measuredNanos = Math.max(MEASURED_NANOS, MEASURED_ROUND_TRIPS * nanos);
    if (!chosen) {
      count = Math.max(least, isLong ? ON_LONG_LINK : 1);
    }
  }

  /** At least so many are used: one for each path to the other end. */
  void spread(int paths) {
    least = Math.min(MOST, paths);
    count = Math.max(count, least);
  }

  /** So many are to be used. */
  int count() {
    return count;
  }

  /** Uploads begin. */
  void begins() {
    chosen = true;
  }

  /** There is nothing to send, or no credit for it: what is carried meanwhile says nothing. */
  void idle() {
    begunNanos = Long.MIN_VALUE;
  }

  /**
   * The other end has taken so much.
   *
   * @param joined how many connections there are
   * @return whether another number is to be used from now on
   */
  boolean carried(long bytes, int joined, long nowNanos) {
    if (joined < count) {
      return false; // More are on their way.
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
      begin(nowNanos); // The first time is that of those that were under way.
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
