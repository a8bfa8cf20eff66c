package io.treecast.monitor.forecast;

import java.util.Arrays;

/**
 * The latest samples of a series, up to a limit: the window of the sliding forecasters.
 * Single-threaded.
 */
final class RecentValues {
  /** The longest window of any forecaster, in samples. */
  static final int MAX_WINDOW_SAMPLES = 1_000;

  private static final int INITIAL_SAMPLES = 8;

  private final int windowSamples;

  /** Grows with the series, up to the window: most links are young in large networks. */
  private double[] ring;

  private int size;
  private int next;

  RecentValues(int windowSamples) {
    if (windowSamples < 1 || windowSamples > MAX_WINDOW_SAMPLES) {
      throw new IllegalArgumentException(
          "windowSamples is " + windowSamples + "; allowed is 1 to " + MAX_WINDOW_SAMPLES);
    }
    this.windowSamples = windowSamples;
    ring = new double[Math.min(windowSamples, INITIAL_SAMPLES)];
  }

  void add(double value) {
    if (size == ring.length && size < windowSamples) {
      ring = Arrays.copyOf(ring, Math.min(2 * size, windowSamples));
      next = size;
    }
    ring[next] = value;
    next = (next + 1) % ring.length;
    size = Math.min(size + 1, ring.length);
  }

  /**
   * Returns the samples in ascending order.
   *
   * @throws IllegalStateException before the first one
   */
  double[] sorted() {
    if (size == 0) {
      throw new IllegalStateException("no sample yet");
    }
    double[] values = Arrays.copyOf(ring, size);
    Arrays.sort(values);
    return values;
  }
}
