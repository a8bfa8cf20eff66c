package io.treecast.monitor;

/**
 * Makes one measurement of the latest samples of a link: their least. The least, because all that
 * disturbs a probe only ever adds to its time: queues on the way, a busy peer, a JVM that has not
 * compiled the path yet. The window bounds how long the measurement outlives its cause: a link that
 * becomes slower shows as slower once the window holds slow samples only; one that becomes faster
 * shows at once.
 *
 * <p>Single-threaded.
 */
final class LeastOfWindow {
  private final long[] window;
  private long samples;

  /**
   * A window without samples.
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
