package io.treecast.monitor.probe;

/**
 * Reduces the latest samples of a link to one measurement: their minimum. All disturbances of a
 * probe only add to its time: queues on the path, a busy peer, a JVM that has not compiled the path
 * yet. The window bounds how long a measurement outlives its cause: a link that becomes slower
 * shows once the window holds only slow samples; one that becomes faster shows at once.
 *
 * <p>Single-threaded.
 */
final class LeastOfWindow {
  private final long[] window;
  private long samples;

  /**
   * Creates a window without samples.
   *
   * @param windowSamples how many of the latest samples count, at least 1
   */
  LeastOfWindow(int windowSamples) {
    if (windowSamples < 1) {
      throw new IllegalArgumentException("windowSamples is " + windowSamples + "; the least is 1");
    }
    this.window = new long[windowSamples];
  }

  void add(long rttNanos) {
    if (rttNanos < 0) {
      throw new IllegalArgumentException("rttNanos is " + rttNanos + "; the least is 0");
    }
    window[(int) (samples++ % window.length)] = rttNanos;
  }

  void clear() {
    samples = 0;
  }

  long rttNanos() {
    if (samples == 0) {
      throw new IllegalStateException("no sample yet");
    }
    long least = Long.MAX_VALUE;
    for (int i = 0; i < Math.min(samples, window.length); i++) {
      least = Math.min(least, window[i]);
    }
    return least;
  }
}
