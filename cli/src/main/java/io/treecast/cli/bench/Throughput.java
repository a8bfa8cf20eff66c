package io.treecast.cli.bench;

/**
 * The data carried in a time, and its cost.
 *
 * @param bytes how much of messages arrived
 * @param messageBytes the size of each message
 * @param nanos how long that took
 * @param cpuNanos the CPU time of the whole process meanwhile, all processors together
 */
public record Throughput(long bytes, int messageBytes, long nanos, long cpuNanos) {
  private static final double MEGABYTE = 1e6;
  private static final double GIB = 1 << 30;

  double messagesPerSecond() {
    return messages() * 1e9 / nanos;
  }

  double megabytesPerSecond() {
    return bytes * 1e9 / nanos / MEGABYTE;
  }

  /** A part of a message counts as that part. */
  private double messages() {
    return (double) bytes / messageBytes;
  }

  double cpuMicrosPerMessage() {
    return cpuNanos / 1e3 / messages();
  }

  /** Returns the CPU seconds for a GiB, of what a message takes so many microseconds for. */
  double cpuSecondsPerGib(double cpuMicrosPerMessage) {
    return cpuMicrosPerMessage / 1e6 * GIB / messageBytes;
  }
}
