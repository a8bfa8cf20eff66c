package io.treecast.monitor.throughput;

/**
 * The weight of a link in the tree by bandwidth: the faster the link, the lower. A minimum spanning
 * tree of these weights is a widest tree: the slowest link between any two members is as fast as
 * possible.
 *
 * <p>Throughput counts on a coarse grid of <em>steps</em> of 25 %, so that noise changes nothing.
 * Among links of one step the round trip decides, and a link of unknown throughput is heavier than
 * any other.
 */
public final class BandwidthWeight {
  /** The step of a link of unknown throughput. */
  public static final int UNKNOWN = 0;

  /**
   * The step of one gigabit per second and everything faster: a {@link BulkProbe} is too short to
   * distinguish them.
   */
  public static final int MAX_STEP = 63;

  private static final double STEP = 1.25;

  /**
   * The announced step stays while the throughput is within this many steps of it: a factor of 1.6.
   */
  private static final int STEADY_STEPS = 2;

  /** Larger than any round trip, in microseconds: nearly three hours. */
  private static final long RTT_SPAN = 10_000_000_000L;

  private BandwidthWeight() {}

  private static double exactStep(long kbps) {
    return Math.min(MAX_STEP, 1 + Math.log((double) kbps) / Math.log(STEP));
  }

  /**
   * Returns the step to announce.
   *
   * @param announced the previously announced step; {@link #UNKNOWN} for none
   * @param kbps the forecast throughput, at least 1
   * @return the nearest step; or the announced one, if it is at most {@value #STEADY_STEPS} away
   */
  public static int step(int announced, long kbps) {
    double exact = exactStep(kbps);
    return announced != UNKNOWN && Math.abs(exact - announced) <= STEADY_STEPS
        ? announced
        : (int) Math.round(exact);
  }

  /**
   * Returns the weight of a link.
   *
   * @param step {@link #UNKNOWN} to {@link #MAX_STEP}
   * @param rttMicros at least 1
   */
  public static long of(int step, long rttMicros) {
    return (MAX_STEP - step) * RTT_SPAN + Math.min(rttMicros, RTT_SPAN - 1);
  }

  /**
   * Returns the throughput in the middle of a weight's step, in kilobits per second; 0 if unknown.
   */
  public static long kbps(long weight) {
    int step = stepOf(weight);
    return step <= UNKNOWN ? 0 : Math.round(middleKbps(step));
  }

  public static int stepOf(long weight) {
    return (int) (MAX_STEP - weight / RTT_SPAN);
  }

  /** Returns the round trip contained in a weight, in microseconds. */
  public static long rttMicros(long weight) {
    return weight % RTT_SPAN;
  }

  private static double middleKbps(double step) {
    return Math.pow(STEP, step - 1);
  }

  /**
   * Returns the forecast below which a link becomes heavier.
   *
   * @param announced its step
   * @return kilobits per second; 0 if no forecast is low enough
   */
  public static long heavierBelowKbps(int announced) {
    double least = announced - (double) STEADY_STEPS;
    return announced == UNKNOWN || least <= 1 ? 0 : (long) Math.ceil(middleKbps(least));
  }

  /**
   * Returns the forecast from which on a link becomes lighter than another.
   *
   * @param weight weight of the link, which is the heavier one
   * @param other weight of the other link
   * @return kilobits per second; 0 if throughput alone cannot make it lighter
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
