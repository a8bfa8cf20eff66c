package io.treecast.monitor;

/**
 * Makes one round-trip time of the samples of one link: the seam where forecasters go.
 *
 * <p>Fed each sample once, in the order of arrival, by the thread that drives the link's {@link
 * LinkProbe}.
 */
public interface Estimator {

  /**
   * Takes in a sample.
   *
   * @param rttNanos a measured round-trip time, at least 0
   */
  void add(long rttNanos);

  /**
   * The round-trip time to expect, in nanoseconds.
   *
   * @throws IllegalStateException before the first sample
   */
  long rttNanos();
}
