package io.treecast.cli.agent;

import org.jspecify.annotations.Nullable;

/** The heap that an agent's limits need. Stateless. */
final class HeapNeed {
  /** The heap of an agent beside its data, roughly. */
  private static final long BESIDE_DATA_BYTES = 32L << 20;

  private HeapNeed() {}

  /**
   * Returns a warning with advice if the heap is too small: the agent would start, and run out of
   * memory when its limits are reached. Null if the heap suffices.
   *
   * @param memoryBytes the limit of that name
   * @param collectivesBytes the limit of that name, in addition to the other
   * @param heapBytes the largest size of the heap
   */
  static @Nullable String warning(long memoryBytes, long collectivesBytes, long heapBytes) {
    long dataBytes = memoryBytes + collectivesBytes;
    if (dataBytes + BESIDE_DATA_BYTES <= heapBytes) {
      return null;
    }
    return String.format(
        "limits.memoryBytes and limits.collectivesBytes are %d MiB together, and the "
            + "heap of this process may grow to %d MiB: lower them, or set "
            + "TREECAST_JAVA_OPTS=-Xmx%dm (in a container JDK_JAVA_OPTIONS)",
        dataBytes >> 20, heapBytes >> 20, (2 * dataBytes) >> 20);
  }
}
