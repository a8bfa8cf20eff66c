package io.treecast.cli.bench;

/**
 * The data that arrived in a time, and its cost.
 *
 * @param bytes the bytes of arrived messages
 * @param messageBytes the size of each message
 * @param nanos the duration
 * @param cpuNanos the CPU time of the whole process in this time, over all processors
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

  /** Returns the number of messages, including a fraction for an incomplete one. */
  private double messages() {
    return (double) bytes / messageBytes;
  }

  double cpuMicrosPerMessage() {
    return cpuNanos / 1e3 / messages();
  }

  /** Returns the CPU seconds per GiB, from the CPU microseconds per message. */
  double cpuSecondsPerGib(double cpuMicrosPerMessage) {
    return cpuMicrosPerMessage / 1e6 * GIB / messageBytes;
  }
}
