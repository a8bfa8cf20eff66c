package io.treecast.collectives.claim;

/** Numbers of states, many of them in little memory. */
final class StateSet {
  private long[] numbers = new long[1 << 16];
  private int size;

  /** Adds a number; returns whether it was not there. */
  boolean add(long number) {
    long stored = number == 0 ? 1 : number;
    int at = place(numbers, stored);
    if (numbers[at] == stored) {
      return false;
    }
    numbers[at] = stored;
    if (++size > numbers.length / 2) {
      long[] larger = new long[numbers.length * 2];
      for (long each : numbers) {
        if (each != 0) {
          larger[place(larger, each)] = each;
        }
      }
      numbers = larger;
    }
    return true;
  }

  private static int place(long[] numbers, long number) {
    long mixed = number * 0x9e37_79b9_7f4a_7c15L;
    int at = (int) (mixed >>> 32) & (numbers.length - 1);
    while (numbers[at] != 0 && numbers[at] != number) {
      at = (at + 1) & (numbers.length - 1);
    }
    return at;
  }

  int size() {
    return size;
  }
}
