package io.treecast.agent.wire.delta;

import io.treecast.agent.wire.value.WireViolation;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;

/**
 * Codec of sets of numbers as lengths of runs, alternately of numbers outside of the set and in it.
 */
final class Runs {
  private Runs() {}

  static List<Integer> encode(BitSet numbers) {
    List<Integer> runs = new ArrayList<>();
    int end = 0;
    for (int begin = numbers.nextSetBit(0); begin >= 0; begin = numbers.nextSetBit(end)) {
      runs.add(begin - end);
      end = numbers.nextClearBit(begin);
      runs.add(end - begin);
    }
    return runs;
  }

  /**
   * Decodes a set.
   *
   * @param size the upper bound of the numbers, exclusive
   * @throws WireViolation if a number is out of bounds, or if {@link #encode} never creates these
   *     runs
   */
  static BitSet decode(List<Integer> runs, int size) throws WireViolation {
    BitSet numbers = new BitSet();
    int end = 0;
    for (int i = 0; i < runs.size(); i++) {
      int length = runs.get(i);
      if (length < 0 || length > size - end || (length == 0 && i > 0)) {
        throw new WireViolation(
            "run of " + Integer.toUnsignedString(length) + " from " + end + " on, of " + size);
      }
      if (i % 2 == 1) {
        numbers.set(end, end + length);
      }
      end += length;
    }
    if (runs.size() % 2 == 1) {
      throw new WireViolation("the last run is of numbers that are not in the set");
    }
    return numbers;
  }
}
