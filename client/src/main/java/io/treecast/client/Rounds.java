package io.treecast.client;

import java.util.concurrent.atomic.AtomicLong;

/**
 * Names for a repeated collective operation: {@code checkpoint-1}, {@code checkpoint-2} and so on.
 * Each member counts for itself. All must make the same calls in the same order, so that the n-th
 * call of each member is the same operation.
 *
 * <pre>{@code
 * Rounds rounds = Rounds.of("checkpoint");
 * while (true) {
 *   work();
 *   treecast.blocking().collectives().barrier(rounds.next());
 * }
 * }</pre>
 *
 * A restarted member must continue at the round of the others, or it fails with {@code NAME_USED}.
 * So it stores {@link #last} with its work, and continues {@linkplain #after after} it.
 *
 * <p>Safe for use by several threads, but then the order of their calls is undefined.
 */
public final class Rounds {
  private final String prefix;
  private final AtomicLong last;

  private Rounds(String prefix, long last) {
    this.prefix = OperationName.checked(prefix);
    this.last = new AtomicLong(last);
    var unused = OperationName.checked(name(Long.MAX_VALUE)); // All names are short enough.
  }

  /**
   * Returns rounds that begin with 1.
   *
   * @param prefix the beginning of the names, the same at all members
   * @throws IllegalArgumentException if the names are invalid: the prefix has 1 to 180 bytes of
   *     UTF-8, without control characters
   */
  public static Rounds of(String prefix) {
    return after(prefix, 0);
  }

  /**
   * Returns rounds that continue after the last round in which this member took part.
   *
   * @param last the number of that round
   * @throws IllegalArgumentException as {@link #of}, or if the number is negative
   */
  public static Rounds after(String prefix, long last) {
    if (last < 0) {
      throw new IllegalArgumentException("the number of the last round is " + last);
    }
    return new Rounds(prefix, last);
  }

  /** Returns the name of the next round. */
  public String next() {
    return name(last.incrementAndGet());
  }

  /** Returns the number of the last name that was returned; 0 before the first. */
  public long last() {
    return last.get();
  }

  private String name(long number) {
    return prefix + "-" + number;
  }
}
