package io.treecast.testkit.network;

import io.treecast.testkit.network.Topology.Link;
import java.util.ArrayList;
import java.util.List;

/**
 * Recorded round-trip times between all pairs of nodes of a network, for each slice of time.
 *
 * <p>If both ends of a pair have measured it, the lesser value counts, since disturbances only
 * lengthen a measurement. Immutable.
 */
public final class RoundTripTrace {
  /** Limit of nodes; all pairs of them are links. */
  public static final int MAX_NODES = 1_000;

  /** Limit of slices. */
  public static final int MAX_SLICES = 10_000;

  /** Limit of the round trips of all slices together, of eight bytes each. */
  static final long MAX_ROUND_TRIPS = 100_000_000;

  private final int nodes;
  private final List<Integer> numbers;
  private final List<long[]> slices;

  private RoundTripTrace(int nodes, List<Integer> numbers, List<long[]> slices) {
    this.nodes = nodes;
    this.numbers = List.copyOf(numbers);
    this.slices = List.copyOf(slices);
  }

  /**
   * Returns the trace of these slices.
   *
   * @param nodes the number of nodes
   * @param numbers the numbers of the slices
   * @param slices one slice for each number, from {@link #slice}
   */
  static RoundTripTrace of(int nodes, List<Integer> numbers, List<long[]> slices) {
    return new RoundTripTrace(nodes, numbers, slices);
  }

  /**
   * Returns the round trips of one slice, one for each pair.
   *
   * @param matrix a square matrix: entry (i, j) is the measurement of node i to node j in
   *     microseconds, 0 without an answer
   */
  static long[] slice(long[][] matrix) {
    int nodes = matrix.length;
    long[] slice = new long[nodes * (nodes - 1) / 2];
    for (int low = 0, pair = 0; low < nodes; low++) {
      for (int high = low + 1; high < nodes; high++, pair++) {
        long there = matrix[low][high];
        long back = matrix[high][low];
        slice[pair] = there > 0 && back > 0 ? Math.min(there, back) : Math.max(there, back);
      }
    }
    return slice;
  }

  /** Returns the number of nodes. */
  public int nodes() {
    return nodes;
  }

  /** Returns the number of slices. */
  public int slices() {
    return slices.size();
  }

  /**
   * Returns the recorded number of a slice.
   *
   * @param slice the index from 0
   */
  public int number(int slice) {
    return numbers.get(slice);
  }

  /**
   * Returns the round trip between two nodes in a slice, in microseconds; 0 without an answer.
   *
   * @param slice the index from 0
   */
  public long rttMicros(int slice, int one, int other) {
    int low = Math.min(one, other);
    int high = Math.max(one, other);
    return slices.get(slice)[low * (2 * nodes - low - 1) / 2 + high - low - 1];
  }

  /** Returns the pairs with an answer in a slice. */
  public List<Link> links(int slice) {
    List<Link> links = new ArrayList<>();
    for (int low = 0; low < nodes; low++) {
      for (int high = low + 1; high < nodes; high++) {
        long rttMicros = rttMicros(slice, low, high);
        if (rttMicros > 0) {
          links.add(new Link(low, high, rttMicros));
        }
      }
    }
    return links;
  }
}
