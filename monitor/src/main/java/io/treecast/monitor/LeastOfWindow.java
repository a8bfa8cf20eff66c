package io.treecast.monitor;

/**
 * Expects the least of the latest samples.
 *
 * <p>The least, because all that disturbs a probe only ever adds to its time: queues on the way, a
 * busy peer, a JVM that has not compiled the path yet. The window bounds how long the estimate
 * outlives its cause: a link that becomes slower shows as slower once the window holds slow samples
 * only; one that becomes faster shows at once.
 *
 * <p>Single-threaded.
 */
public final class LeastOfWindow implements Estimator {
  private final long[] window;
  private long samples;

  /**
   * An estimator without samples.
   *
   * @param windowSamples how many of the latest samples count, at least 1
   */
  public LeastOfWindow(int windowSamples) {
    if (windowSamples < 1) {
      throw new IllegalArgumentException("windowSamples is " + windowSamples + "; the least is 1");
    }
    this.window = new long[windowSamples];
  }

  @Override
  public void add(long rttNanos) {
    if (rttNanos < 0) {
      throw new IllegalArgumentException("rttNanos is " + rttNanos + "; the least is 0");
    }
    window[(int) (samples++ % window.length)] = rttNanos;
  }

  @Override
  public long rttNanos() {
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
