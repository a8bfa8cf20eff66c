package io.treecast.testkit.network;

import io.treecast.testkit.network.Topology.Link;
import java.util.ArrayList;
import java.util.List;

/**
 * Recorded round-trip times of a network: for each slice of time, those between all pairs of nodes.
 *
 * <p>Both ends of a pair may have measured it, each for itself. Its round trip is the lesser of
 * what they found: all that disturbs a measurement only adds to it. Immutable.
 */
public final class RoundTripTrace {
  /** Most nodes: all pairs of them are links. */
  public static final int MAX_NODES = 1_000;

  /** Most slices. */
  public static final int MAX_SLICES = 10_000;

  /** Most round trips of all slices together, of eight bytes each. */
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
   * @param nodes how many
   * @param numbers of the slices
   * @param slices one of each number, as {@link #slice} gives them
   */
  static RoundTripTrace of(int nodes, List<Integer> numbers, List<long[]> slices) {
    return new RoundTripTrace(nodes, numbers, slices);
  }

  /**
   * Returns the round trips of one slice, which take half of the matrix.
   *
   * @param matrix square: entry (i, j) what node i measured to node j, in microseconds; 0 for no
   *     answer
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

  /** Returns how many nodes. */
  public int nodes() {
    return nodes;
  }

  /** Returns how many slices. */
  public int slices() {
    return slices.size();
  }

  /**
   * The number that a slice was recorded under.
   *
   * @param slice from 0
   */
  public int number(int slice) {
    return numbers.get(slice);
  }

  /**
   * Returns the round trip between two nodes in a slice, in microseconds; 0 if there was no answer.
   *
   * @param slice from 0
   */
  public long rttMicros(int slice, int one, int other) {
    int low = Math.min(one, other);
    int high = Math.max(one, other);
    return slices.get(slice)[low * (2 * nodes - low - 1) / 2 + high - low - 1];
  }

  /** Returns the pairs that answer in a slice. */
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
