package io.treecast.cli.links;

/** The median of measurements. */
final class Median {
  private Median() {}

  /**
   * Returns the median; for an even number of values the mean of the two in the middle, rounded
   * down.
   *
   * @param ascending at least one value, none of them negative
   */
  static long ofSorted(long[] ascending) {
    long lower = ascending[(ascending.length - 1) / 2];
    long upper = ascending[ascending.length / 2];
    return lower + (upper - lower) / 2;
  }
}
