package io.treecast.testkit.sim;

import java.util.Random;

/**
 * An upload of an application of a simulated agent.
 *
 * @param atNanos when it begins, if the agent is ready then
 * @param node whose agent
 * @param bytes of the payload
 * @param pieces in which it comes
 * @param intervalNanos between them
 * @param diesInTheMiddle whether the application dies when half of it is sent
 */
public record UploadPlan(
    long atNanos, int node, int bytes, int pieces, long intervalNanos, boolean diesInTheMiddle) {
  private static final int MAX_BYTES = 1 << 20;
  private static final int MAX_PIECES = 40;
  private static final long MAX_INTERVAL_NANOS = 200_000_000L;

  /** Any, within the first so many nanoseconds of a cluster of so many nodes. */
  public static UploadPlan draw(Random random, long withinNanos, int nodes) {
    return new UploadPlan(
        random.nextLong(withinNanos),
        random.nextInt(nodes),
        random.nextInt(MAX_BYTES),
        1 + random.nextInt(MAX_PIECES),
        random.nextLong(MAX_INTERVAL_NANOS),
        random.nextInt(4) == 0);
  }
}
