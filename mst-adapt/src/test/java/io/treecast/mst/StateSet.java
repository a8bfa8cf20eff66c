package io.treecast.mst;

/**
 * The digests of states, in an open hash table. Two states with the same digest count as one: among
 * n states, this happens with a probability of about n^2 / 2^128.
 */
final class StateSet {
  /** Two numbers for each place; both 0 if it is free. */
  private long[] places = new long[1 << 12];

  private long size;

  /**
   * Adds a digest.
   *
   * @return whether it is new
   */
  boolean add(long low, long high) {
    if (size * 3 > places.length) {
      grow();
    }
    boolean isNew = insert(low, high);
    size += isNew ? 1 : 0;
    return isNew;
  }

  private boolean insert(long low, long high) {
    int mask = places.length - 1;
    int at = (int) (low ^ high >>> 17) << 1 & mask;
    while (places[at] != 0 || places[at + 1] != 0) {
      if (places[at] == low && places[at + 1] == high) {
        return false;
      }
      at = at + 2 & mask;
    }
    places[at] = low;
    places[at + 1] = high;
    return true;
  }

  private void grow() {
    long[] old = places;
    places = new long[Math.multiplyExact(old.length, 2)];
    for (int i = 0; i < old.length; i += 2) {
      if (old[i] != 0 || old[i + 1] != 0) {
        insert(old[i], old[i + 1]);
      }
    }
  }

  long size() {
    return size;
  }
}
