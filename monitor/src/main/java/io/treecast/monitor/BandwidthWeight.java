package io.treecast.monitor;

/**
 * What a link weighs in the tree by bandwidth: the less, the faster it is. A minimum spanning tree
 * of these weights is a widest tree: the slowest link between any two members is as fast as can be.
 *
 * <p>Throughput counts on a coarse grid of <em>steps</em> of 25 %, so that noise changes nothing.
 * Among links of one step the round trip decides, and a link of unknown throughput is heavier than
 * any other.
 */
public final class BandwidthWeight {
  /** The step of a link whose throughput is not known. */
  public static final int UNKNOWN = 0;

  /**
   * The step of a gigabit a second, and of all that is faster: a {@link BulkProbe} is too short to
   * tell that apart.
   */
  public static final int MAX_STEP = 63;

  private static final double STEP = 1.25;

  /** The announced step stays while the throughput is within so many of it: a factor of 1.6. */
  private static final int STEADY_STEPS = 2;

  /** Beyond any round trip, in microseconds: nearly three hours. */
  private static final long RTT_SPAN = 10_000_000_000L;

  private BandwidthWeight() {}

  private static double exactStep(long kbps) {
    return Math.min(MAX_STEP, 1 + Math.log((double) kbps) / Math.log(STEP));
  }

  /**
   * The step to announce.
   *
   * @param announced the one that was announced before; {@link #UNKNOWN} for none
   * @param kbps the forecast throughput, at least 1
   * @return the nearest step; or the announced one, if that is not more than {@value #STEADY_STEPS}
   *     away
   */
  public static int step(int announced, long kbps) {
    double exact = exactStep(kbps);
    return announced != UNKNOWN && Math.abs(exact - announced) <= STEADY_STEPS
        ? announced
        : (int) Math.round(exact);
  }

  /**
   * The weight of a link.
   *
   * @param step {@link #UNKNOWN} to {@link #MAX_STEP}
   * @param rttMicros at least 1
   */
  public static long of(int step, long rttMicros) {
    return (MAX_STEP - step) * RTT_SPAN + Math.min(rttMicros, RTT_SPAN - 1);
  }

  /** The throughput in the middle of the step of a weight, kilobits a second; 0 if not known. */
  public static long kbps(long weight) {
    int step = stepOf(weight);
    return step <= UNKNOWN ? 0 : Math.round(middleKbps(step));
  }

  /** The step of a weight. */
  public static int stepOf(long weight) {
    return (int) (MAX_STEP - weight / RTT_SPAN);
  }

  /** The round trip that a weight has within its step, in microseconds. */
  public static long rttMicros(long weight) {
    return weight % RTT_SPAN;
  }

  private static double middleKbps(double step) {
    return Math.pow(STEP, step - 1);
  }

  /**
   * The forecast below which a link becomes heavier.
   *
   * @param announced its step
   * @return kilobits a second; 0 if none is so low
   */
  public static long heavierBelowKbps(int announced) {
    double least = announced - (double) STEADY_STEPS;
    return announced == UNKNOWN || least <= 1 ? 0 : (long) Math.ceil(middleKbps(least));
  }

  /**
   * The forecast from which on a link becomes lighter than another.
   *
   * @param weight of the link, which is the heavier one
   * @param other weight
   * @return kilobits a second; 0 if throughput alone cannot make it lighter
   */
  public static long lighterFromKbps(long weight, long other) {
    int announced = stepOf(weight);
    int needed = stepOf(other) + (rttMicros(weight) < rttMicros(other) ? 0 : 1);
    double least = needed - 0.5;
    if (announced != UNKNOWN) {
      least = Math.max(least, announced + (double) STEADY_STEPS);
    }
    return needed > MAX_STEP || least >= MAX_STEP ? 0 : (long) Math.floor(middleKbps(least)) + 1;
  }
}
