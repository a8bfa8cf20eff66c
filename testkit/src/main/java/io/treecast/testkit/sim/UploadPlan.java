package io.treecast.testkit.sim;

import java.util.Random;

/**
 * An upload of an application of a simulated agent.
 *
 * @param atNanos the time at which it begins, if the agent is ready
 * @param node the node of the agent
 * @param bytes the size of the payload
 * @param pieces the number of pieces
 * @param intervalNanos the interval between pieces
 * @param crashesMidway whether the application dies after half of the upload
 */
public record UploadPlan(
    long atNanos, int node, int bytes, int pieces, long intervalNanos, boolean crashesMidway) {
  private static final int MAX_BYTES = 1 << 20;
  private static final int MAX_PIECES = 40;
  private static final long MAX_INTERVAL_NANOS = 200_000_000L;

  /** Returns a random plan within a time and a number of nodes. */
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
