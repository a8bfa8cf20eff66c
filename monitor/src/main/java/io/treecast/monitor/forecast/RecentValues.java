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

  int size() {
    return size;
  }

  /**
   * Returns the sample that came {@code age} samples before the latest.
   *
   * @param age 0 to {@code size() - 1}
   */
  double latest(int age) {
    return ring[Math.floorMod(next - 1 - age, ring.length)];
  }

  /**
   * Returns the mean of the latest {@code count} samples, at least 1; summed each time, so without
   * drift.
   */
  double mean(int count) {
    double sum = 0;
    for (int age = 0; age < count; age++) {
      sum += latest(age);
    }
    return sum / count;
  }

  /** Returns the latest {@code count} samples in ascending order. */
  double[] sorted(int count) {
    double[] values = new double[count];
    for (int age = 0; age < count; age++) {
      values[age] = latest(age);
    }
    Arrays.sort(values);
    return values;
  }

  /** Returns the median of the latest {@code count} samples, at least 1. */
  double median(int count) {
    double[] values = sorted(count);
    int middle = count / 2;
    return count % 2 == 1 ? values[middle] : (values[middle - 1] + values[middle]) / 2;
  }

  /** Returns the number of samples, for forecasters that need at least one. */
  int sizeOrThrow() {
    if (size == 0) {
      throw new IllegalStateException("no sample yet");
    }
    return size;
  }
}
